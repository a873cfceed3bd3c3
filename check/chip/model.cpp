#include "check/chip/model.h"

#include <tuple>

namespace nestor::check::chip {
namespace {

// Returns the cycles for an amount at a rate. A rate of 0 is ideal and takes no cycles.
Int at(Int amount, Int rate) { return rate == 0 ? 0 : ceiling(amount, rate); }

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

// Returns the cycles of a run by (5.7) and (5.8), or the sum over its operators if it is not pipelined.
Int schedule_of(const Run& run, const CheckedChipProblem& problem, const std::vector<OperatorTiming>& paces) {
  std::vector<std::vector<Int>> ends(problem.operators.size());
  Int last = 0;
  Int before = 0;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    const Operator& op = problem.operators[i];
    const OperatorTiming& pace = paces[i];
    for (Int r = 0; r < op.rows; ++r) {
      Int ready = run.is_pipelined ? 0 : plus(before, pace.gate);
      for (const Input& input : op.inputs) {
        if (!run.is_pipelined) break;
        Int arrival = 0;
        if (!input.is_outside && input.from >= run.first) {
          const auto row = input.need(r, problem.operators[input.from].rows);
          arrival = plus(ends[input.from][static_cast<std::size_t>(row)], paces[input.from].out);
        }
        ready = std::max(ready, plus(arrival, input.is_gated ? pace.gate : 0));
      }
      ready = plus(ready, pace.in);
      if (r >= pace.lanes) ready = std::max(ready, ends[i][static_cast<std::size_t>(r - pace.lanes)]);
      ends[i].push_back(plus(ready, pace.row));
    }
    before = plus(ends[i].back(), pace.out);
    last = std::max(last, before);
  }
  return last;
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

// Computes the figures of (4.1) and (5.1) to (5.6).
OperatorTiming CheckedChipProblem::pace(std::size_t i, const Decision& decision, bool is_stream) const {
  const Operator& op = operators[i];
  const MatrixLayout& layout = layouts[i];
  const Int read = at(times(op.row_in, op.in_bits), machine.l0);
  const Int made = at(times(op.width, op.channels, op.out_bits), machine.l0);
  const Int transfers = machine.is_hidden ? 0 : std::max(read, made);
  const Int first = at(times(op.in_channels, op.in_bits), machine.l0);
  if (!decision.on_array)
    return {.row = std::max(at(op.alu_ops, machine.alu), transfers),
            .in = first,
            .out = at(times(op.channels, op.out_bits), machine.l0)};
  const Int copies = decision.copies;
  const Int parts = decision.parts == 0 ? layout.least_parts : decision.parts;
  const Int crossbars = times(parts, layout.columns);
  const Int sharing = machine.mode == "CM" ? 1 : std::min(copies, op.width);
  const Int slices = machine.dac == 0 ? 1 : ceiling(op.in_bits, machine.dac);
  const Int rows = levels.vvm ? rows_used(op, layout, parts) : machine.rows;
  const Int active = times(slices, ceiling(rows, machine.parallel_rows));
  const Int held_rows = std::min(times(op.groups, op.matrix_rows), times(layout.held, machine.rows));
  const Int local = at(times(held_rows, op.in_bits), machine.l1);
  const Int added = at(times(std::min(layout.held, crossbars), machine.columns, slices), machine.core_alu);
  const Int round = std::max({times(active, decision.phases), local, added});
  OperatorTiming pace;
  pace.cores = levels.mvm ? ceiling(times(copies, crossbars), layout.held)
                          : times(copies, ceiling(crossbars, layout.held));
  pace.row = std::max(times(ceiling(op.width, sharing), round), transfers);
  pace.lanes = machine.mode == "CM" ? copies : std::min(op.rows, std::max(Int{1}, copies / op.width));
  pace.in = plus(first, is_stream ? ceiling(local, decision.phases) : local, machine.way);
  pace.out = plus(at(times(op.channels, op.out_bits), machine.l1),
                  at(times(op.channels, op.out_bits, copies), machine.l0));
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
        if (shares != before) all.push_back(pace(i, {true, copies, parts, 1}));
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

Int CheckedChipProblem::rewriting(std::size_t first, std::size_t last) const {
  if (is_whole(first, last)) return 0;
  bool is_written = false;
  Int bits = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Operator& op = operators[i];
    if (op.kind != Kind::array) continue;
    is_written = true;
    bits = plus(bits, times(op.matrix_rows, op.matrix_columns, op.groups, op.weight_bits));
  }
  return is_written ? std::max(times(machine.rows, machine.write_cycles), at(bits, machine.off_chip)) : 0;
}

Int CheckedChipProblem::shared(std::size_t first, std::size_t last) const {
  Int bits = 0;
  Int operations = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Operator& op = operators[i];
    const Int row = plus(times(op.row_in, op.in_bits), times(op.width, op.channels, op.out_bits));
    bits = plus(bits, times(op.rows, row));
    if (op.kind != Kind::array) operations = plus(operations, times(op.rows, op.alu_ops));
  }
  return std::max(machine.shares_l0 ? at(bits, machine.l0) : 0,
                  machine.shares_alu ? at(operations, machine.alu) : 0);
}

std::string fault_of(const Schedule& schedule, const CheckedChipProblem& problem) {
  const auto in_range = [](Int value, Int least, Int most) { return least <= value && value <= most; };
  for (std::size_t i = 0; i < problem.operators.size(); ++i) {
    const Decision& decision = schedule.decisions[i];
    const MatrixLayout& layout = problem.layouts[i];
    if (!decision.on_array) {
      if (problem.operators[i].kind == Kind::product && !problem.machine.multiplies())
        return "product '" + problem.operators[i].name +
               "' is digital, but the chip has no functions mul and add";
      if (decision.copies != 1 || decision.parts != 0 || decision.phases != 1)
        return "an operator on the digital unit has copies, parts or phases";
      continue;
    }
    if (!layout.fits) return "operator '" + problem.operators[i].name + "' does not fit the crossbars";
    const Operator& op = problem.operators[i];
    const Int parts = decision.parts == 0 ? layout.least_parts : decision.parts;
    if (!in_range(decision.copies, 1, problem.machine.mode == "CM" ? op.rows : times(op.rows, op.width)) ||
        !in_range(parts, layout.least_parts, problem.levels.vvm ? layout.most_parts : layout.least_parts) ||
        !in_range(decision.phases, 1, problem.levels.mvm ? parts : 1))
      return "operator '" + op.name + "' has an invalid number of copies, parts or phases";
  }
  std::size_t next = 0;
  for (const Run& run : schedule.runs) {
    if (run.first != next || run.last < run.first) return "its segments are not consecutive";
    next = run.last + 1;
    if (run.is_stream && !(problem.levels.stream && problem.levels.mvm))
      return "the segment from '" + problem.operators[run.first].name +
             "' is a stream, but levels mvm and stream are not both enabled";
    Int cores = 0;
    for (std::size_t i = run.first; i <= run.last; ++i)
      cores = plus(cores, problem.pace(i, schedule.decisions[i]).cores);
    if (cores > problem.machine.cores)
      return "the segment from '" + problem.operators[run.first].name +
             "' takes more cores than the chip has";
  }
  return next == problem.operators.size() ? "" : "its segments do not cover all operators";
}

Int latency_of(const Schedule& schedule, const CheckedChipProblem& problem) {
  std::vector<OperatorTiming> paces;
  for (std::size_t i = 0; i < problem.operators.size(); ++i)
    paces.push_back(problem.pace(i, schedule.decisions[i]));
  Int sum = 0;
  for (const Run& run : schedule.runs) {
    const Int shared = problem.shared(run.first, run.last);
    const Int time = std::max(shared, run.is_stream ? stream_schedule(run, problem, schedule.decisions)
                                                    : schedule_of(run, problem, paces));
    sum = plus(sum, time, problem.rewriting(run.first, run.last));
  }
  return sum;
}

}  // namespace nestor::check::chip
