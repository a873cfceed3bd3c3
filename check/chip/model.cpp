#include "check/chip/model.h"

#include <tuple>

namespace nestor::check::chip {
namespace {

// Returns the largest legal number of copies of operator i that fit if no other operator uses the chip.
Int most_copies(const CheckedChipProblem& problem, std::size_t i, Int parts) {
  const Operator& op = problem.operators[i];
  const Int crossbars = times(parts, problem.layouts[i].columns);
  const Int held = problem.layouts[i].held;
  const Int fit = problem.levels.mvm ? times(problem.machine.cores, held) / crossbars
                                     : problem.machine.cores / ceiling(crossbars, held);
  return std::min(fit, problem.machine.mode == "CM" ? op.rows : times(op.rows, op.width));
}

bool beats(const OperatorTiming& a, const OperatorTiming& b) {
  return a.cores <= b.cores && a.row <= b.row && a.lanes >= b.lanes && a.in <= b.in && a.out <= b.out &&
         a.gate <= b.gate;
}

}  // namespace

Int rows_used(const Operator& op, const MatrixLayout& layout, Int parts) {
  return layout.is_packed ? times(ceiling(op.groups, parts), op.matrix_rows) : ceiling(op.matrix_rows, parts);
}

// Returns the needed row by (2.1).
Int Input::need(Int r, Int rows) const {
  if (is_gated) return rows - 1;
  const Int sum = plus(times(a, r), b);
  return sum < 0 ? 0 : std::min(rows - 1, sum / c);
}

bool CheckedChipMachine::computes(const std::string& word) const {
  return !functions || std::any_of(functions->begin(), functions->end(),
                                   [&](const auto& function) { return function.second == word; });
}

bool Operator::is_gated() const {
  return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) { return input.is_gated; });
}

Int Operator::bits_of_row() const { return plus(times(row_in, in_bits), times(width, channels, out_bits)); }

Int Operator::bytes() const { return times(rows, width, channels, ceiling(out_bits, Int{8})); }

std::vector<Decision> CheckedChipProblem::defaults() const {
  std::vector<Decision> decisions(operators.size());
  for (std::size_t i = 0; i < operators.size(); ++i) decisions[i].on_array = operators[i].kind == Kind::array;
  return decisions;
}

// Computes the figures of (5.1), and of the row in (5.2) and (5.3).
OperatorUse CheckedChipProblem::use(std::size_t i, const Decision& decision) const {
  const Operator& op = operators[i];
  const MatrixLayout& layout = layouts[i];
  OperatorUse use{.rounds = op.width};
  if (!decision.on_array) return use;
  use.parts = decision.parts == 0 ? layout.least_parts : decision.parts;
  use.crossbars = times(use.parts, layout.columns);
  use.sharing = machine.mode == "CM" ? 1 : std::min(decision.copies, op.width);
  use.rounds = ceiling(op.width, use.sharing);
  use.slices = machine.dac == 0 ? 1 : ceiling(op.in_bits, machine.dac);
  const Int rows = levels.vvm ? rows_used(op, layout, use.parts) : machine.rows;
  use.active = times(use.slices, ceiling(rows, machine.parallel_rows));
  use.mvm = times(use.active, decision.phases);
  use.gathered =
      times(std::min(times(op.groups, op.matrix_rows), times(layout.held, machine.rows)), op.in_bits);
  return use;
}

// Computes the figures of (4.1) and (5.2) to (5.6).
OperatorTiming CheckedChipProblem::pace(std::size_t i, const Decision& decision, bool is_stream) const {
  const Operator& op = operators[i];
  const MatrixLayout& layout = layouts[i];
  const Int read = at_rate(times(op.row_in, op.in_bits), machine.l0);
  const Int made = at_rate(times(op.width, op.channels, op.out_bits), machine.l0);
  const Int transfers = machine.is_hidden ? 0 : std::max(read, made);
  const Int first = at_rate(times(op.in_channels, op.in_bits), machine.l0);
  if (!decision.on_array)
    return {.row = std::max(at_rate(op.alu_ops, machine.alu), transfers),
            .in = first,
            .out = at_rate(times(op.channels, op.out_bits), machine.l0)};
  const OperatorUse use = this->use(i, decision);
  const Int copies = decision.copies;
  const Int local = at_rate(use.gathered, machine.l1);
  const Int added =
      at_rate(times(std::min(layout.held, use.crossbars), machine.columns, use.slices), machine.core_alu);
  OperatorTiming pace;
  pace.cores = levels.mvm ? ceiling(times(copies, use.crossbars), layout.held)
                          : times(copies, ceiling(use.crossbars, layout.held));
  pace.row = std::max(times(use.rounds, std::max({use.mvm, local, added})), transfers);
  pace.lanes = machine.mode == "CM" ? copies : std::min(op.rows, std::max(Int{1}, copies / op.width));
  pace.in = plus(first, is_stream ? ceiling(local, decision.phases) : local, machine.way);
  pace.out = plus(at_rate(times(op.channels, op.out_bits), machine.l1),
                  at_rate(times(op.channels, op.out_bits, copies), machine.l0));
  if (op.kind == Kind::product) pace.gate = times(machine.rows, machine.write_cycles);
  return pace;
}

// Returns the paces that no other pace beats. One phase is never slower than several phases and takes no more
// cores. Among numbers of parts that activate a crossbar equally often, the smallest takes the fewest
// crossbars. Among numbers of copies with the same number of windows per copy and of rows at a time, the
// smallest takes the fewest cores and has the shortest output time.
std::vector<OperatorTiming> CheckedChipProblem::paces(std::size_t i) const {
  const Operator& op = operators[i];
  const MatrixLayout& layout = layouts[i];
  std::vector<OperatorTiming> all;
  if (op.kind == Kind::alu || (op.kind == Kind::product && machine.multiplies())) all.push_back(pace(i, {}));
  if (layout.fits) {
    const Int most_parts = levels.vvm ? layout.most_parts : layout.least_parts;
    Int activations = 0;
    for (Int parts = layout.least_parts; parts <= most_parts; ++parts) {
      const Int most = most_copies(*this, i, parts);
      if (most < 1) break;  // higher numbers of parts do not fit either
      const Int now = ceiling(rows_used(op, layout, parts), machine.parallel_rows);
      if (now == activations) continue;
      activations = now;
      std::pair<Int, Int> before;
      for (Int copies = 1; copies <= most; ++copies) {
        const bool is_coarse = machine.mode == "CM";
        const std::pair<Int, Int> shares = {is_coarse ? 0 : ceiling(op.width, std::min(copies, op.width)),
                                            is_coarse ? copies : std::max(Int{1}, copies / op.width)};
        if (shares != before) all.push_back(pace(i, {true, copies, parts, 1, {}}));
        before = shares;
      }
    }
  }
  if (!op.is_gated())
    for (OperatorTiming& each : all) each.gate = 0;  // without a gated input, the gate is not used
  std::sort(all.begin(), all.end(), [](const OperatorTiming& a, const OperatorTiming& b) {
    return std::tuple(a.cores, a.row, -a.lanes, a.in, a.out, a.gate) <
           std::tuple(b.cores, b.row, -b.lanes, b.in, b.out, b.gate);
  });
  std::vector<OperatorTiming> kept;
  for (const OperatorTiming& each : all)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const OperatorTiming& other) { return beats(other, each); }))
      kept.push_back(each);
  return kept;
}

Int CheckedChipProblem::weight_bits(std::size_t first, std::size_t last) const {
  Int bits = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Operator& op = operators[i];
    if (op.kind == Kind::array)
      bits = plus(bits, times(op.matrix_rows, op.matrix_columns, op.groups, op.weight_bits));
  }
  return bits;
}

Int CheckedChipProblem::rewriting(std::size_t first, std::size_t last) const {
  const Int bits = weight_bits(first, last);
  if (is_whole(first, last) || bits == 0) return 0;
  return std::max(times(machine.rows, machine.write_cycles), at_rate(bits, machine.off_chip));
}

SharedWork CheckedChipProblem::work(const Run& run, const std::vector<Decision>& decisions) const {
  SharedWork work;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    const Operator& op = operators[i];
    work.bits = plus(work.bits, times(op.rows, op.bits_of_row()));
    if (!decisions[i].on_array) work.operations = plus(work.operations, times(op.rows, op.alu_ops));
  }
  return work;
}

Int CheckedChipProblem::least_time(const SharedWork& work) const {
  return std::max(machine.shares_l0 ? at_rate(work.bits, machine.l0) : 0,
                  machine.shares_alu ? at_rate(work.operations, machine.alu) : 0);
}

}  // namespace nestor::check::chip
