#include "model/chip/program/generate.h"

#include <algorithm>

#include "model/chip/addresses.h"
#include "model/chip/operator_timing.h"
#include "model/chip/program/array_code.h"
#include "model/chip/program/declare.h"
#include "model/chip/stream.h"

namespace nestor::chip_program {
namespace {

using chip::OperatorKind;

class Generator {
 public:
  Generator(const chip::ChipProblem& problem, const chip::Decisions& decisions,
            const chip::ChipEvaluation& evaluation, const GenerateOptions& options)
      : problem_(problem), decisions_(decisions), evaluation_(evaluation), options_(options) {}

  Program run();

 private:
  const chip::Operator& op(std::size_t i) const { return problem_.network.operators[i]; }
  Segment segment(const chip::SegmentDecision& decision);
  Thread thread(std::size_t i, const chip::SegmentDecision& decision);
  std::vector<Statement> waits(std::size_t i, const chip::SegmentDecision& decision, bool gated,
                               const Expression& row) const;
  std::pair<std::vector<Statement>, std::vector<Statement>> stream_waits(
      std::size_t i, const chip::SegmentDecision& decision, const Expression& row) const;
  std::vector<Statement> stream_row(std::size_t i, const chip::SegmentDecision& decision,
                                    const Expression& row) const;
  ArrayCode array_code(std::size_t i) const;
  std::vector<Statement> digital_code(std::size_t i, const Expression& row) const;

  const chip::ChipProblem& problem_;
  const chip::Decisions& decisions_;
  const chip::ChipEvaluation& evaluation_;
  const GenerateOptions& options_;
  Program program_;
};

// Returns the row of the producer that row `row` of a reader needs. Limits that never apply are omitted.
Expression needed(const chip::Need& need, const Expression& row, Int rows, Int producer_rows) {
  const Int a = need.a;
  const Int b = need.b;
  const Int c = need.c;
  const auto at = [&](Int r) { return chip::floor_divide(a * r + b, c); };
  const Int low = std::min(at(0), at(rows - 1));
  const Int high = std::max(at(0), at(rows - 1));
  if (high <= 0) return 0;
  if (low >= producer_rows - 1) return producer_rows - 1;
  Expression at_row = div(a * row + b, c);
  if (low < 0) at_row = max(0, at_row);
  if (high > producer_rows - 1) at_row = min(at_row, producer_rows - 1);
  return at_row;
}

std::vector<Statement> Generator::waits(std::size_t i, const chip::SegmentDecision& decision, bool gated,
                                        const Expression& row) const {
  std::vector<Statement> code;
  if (!decision.pipeline) return code;  // the threads run one after another
  const chip::ChipNetwork& network = problem_.network;
  for (const auto& input : op(i).inputs) {
    if (network.is_input(input.tensor) || input.gated != gated) continue;
    const std::size_t producer = network.producer(input.tensor);
    if (producer < decision.first) continue;
    Statement wait;
    wait.kind = Kind::wait;
    wait.op = producer;
    wait.arguments = {input.gated ? Expression(op(producer).rows - 1)
                                  : needed(input.need, row, op(i).rows, op(producer).rows)};
    // Two inputs from one operator with equal needs share one wait.
    if (std::find(code.begin(), code.end(), wait) == code.end()) code.push_back(std::move(wait));
  }
  return code;
}

// Returns the waits of a stream before the first step of a row and before the other steps. Each wait refers
// to the run of the row that is read.
std::pair<std::vector<Statement>, std::vector<Statement>> Generator::stream_waits(
    std::size_t i, const chip::SegmentDecision& decision, const Expression& row) const {
  const chip::ChipNetwork& network = problem_.network;
  const auto pace = [&](std::size_t at) {
    auto made = chip::timing_of(problem_, at, decisions_.operators[at], decisions_.levels);
    made.in = made.stream_in;
    return made;
  };
  const auto cores = [&](std::size_t at) {
    const auto& figures = evaluation_.operators[at];
    return chip::CoreRange{figures.first_core.value_or(0), figures.cores};
  };
  std::vector<Statement> first;
  std::vector<Statement> others;
  for (const auto& input : op(i).inputs) {
    if (input.gated || network.is_input(input.tensor)) continue;
    const std::size_t producer = network.producer(input.tensor);
    if (producer < decision.first) continue;
    const auto waits = chip::stream_input(problem_, i, input, pace(i), pace(producer),
                                          chip::chip_noc_cost(problem_.machine, cores(producer), cores(i)));
    const auto add = [&](Int tap, Int cycles, std::vector<Statement>& code) {
      Statement wait;
      wait.kind = Kind::wait_run;
      wait.op = producer;
      const auto& [a, b, c] = input.need;
      wait.arguments = {
          needed({a, b - (input.taps - 1 - tap) * input.tap_step, c}, row, op(i).rows, op(producer).rows),
          cycles};
      if (std::find(code.begin(), code.end(), wait) == code.end()) code.push_back(std::move(wait));
    };
    add(waits.lags.front().tap, waits.first_lag, first);
    for (const auto& each : waits.lags) add(each.tap, each.lag, others);
  }
  return {std::move(first), std::move(others)};
}

ArrayCode Generator::array_code(std::size_t i) const {
  const auto& figures = evaluation_.operators[i];
  const auto pace = chip::timing_of(problem_, i, decisions_.operators[i], decisions_.levels);
  const chip::ChipMachine& machine = problem_.machine;
  ArrayShape shape;
  shape.op = i;
  shape.mode = machine.mode;
  shape.rows = op(i).rows;
  shape.width = op(i).width;
  shape.lanes = pace.lanes;
  shape.sharing = machine.mode == Mode::CM ? 1 : std::min(figures.copies, op(i).width);
  shape.crossbars_of_a_core = machine.crossbars.count();
  shape.cell_rows = machine.cell.rows;
  shape.parallel_rows = machine.cell.parallel_rows;
  shape.used_rows = problem_.facts[i].layout.rows_used(figures.parts);
  const auto& layout = problem_.facts[i].layout;
  shape.held_rows = layout.packed ? layout.groups * layout.matrix_rows : layout.matrix_rows;
  shape.only_used_rows = machine.mode == Mode::WLM && decisions_.levels.vvm;
  return {program_, shape};
}

// Returns the code of a row of a digital operator: one call, or one call per function to which the operator
// was lowered.
std::vector<Statement> Generator::digital_code(std::size_t i, const Expression& row) const {
  const ProgramOperator& made = program_.operators[i];
  Statement digital;
  digital.kind = Kind::digital_row;
  digital.function = made.type;
  digital.op = i;
  digital.arguments = {row};
  if (made.calls.empty()) return {digital};
  std::vector<Statement> code;
  for (const std::string& call : made.calls) {
    digital.call = call;
    code.push_back(digital);
  }
  return code;
}

// Returns the waits of a row and its first step, followed by a `run` statement that contains further waits
// and the other steps. A digital row is computed entirely inside `run`.
std::vector<Statement> Generator::stream_row(std::size_t i, const chip::SegmentDecision& decision,
                                             const Expression& row) const {
  auto [code, others] = stream_waits(i, decision, row);
  Statement run;
  run.kind = Kind::run;
  run.body = std::move(others);
  std::vector<Statement> work;
  if (evaluation_.operators[i].on_array) {
    auto [first, rest] = array_code(i).stream_row(row, 1);
    code.insert(code.end(), first.begin(), first.end());
    work = std::move(rest);
  } else {
    work = digital_code(i, row);
  }
  run.body.insert(run.body.end(), work.begin(), work.end());
  code.push_back(std::move(run));
  return code;
}

Thread Generator::thread(std::size_t i, const chip::SegmentDecision& decision) {
  const bool on_array = evaluation_.operators[i].on_array;
  Thread made;
  made.op = i;
  made.lanes = evaluation_.operators[i].rows_at_once;
  made.body = waits(i, decision, true, 0);
  if (on_array && op(i).kind == OperatorKind::product) {
    auto writes = array_code(i).writes(0, true);
    made.body.insert(made.body.end(), writes.begin(), writes.end());
  }
  Statement loop;
  loop.kind = Kind::loop;
  loop.variable = "y";
  loop.arguments = {0, op(i).rows};
  const Expression y = Expression::variable(0);
  Statement row;
  row.kind = Kind::row;
  row.arguments = {y};
  if (decision.stream) {
    row.body = stream_row(i, decision, y);
  } else {
    row.body = waits(i, decision, false, y);
    auto work = on_array ? array_code(i).row(y, 1) : digital_code(i, y);
    row.body.insert(row.body.end(), work.begin(), work.end());
  }
  loop.body.push_back(std::move(row));
  made.body.push_back(std::move(loop));
  return made;
}

Segment Generator::segment(const chip::SegmentDecision& decision) {
  Segment made;
  made.pipeline = decision.pipeline;
  made.stream = decision.stream;
  for (std::size_t i = decision.first; i <= decision.last; ++i) {
    if (op(i).kind != OperatorKind::array) continue;
    auto writes = array_code(i).writes(0, false);
    made.writes.insert(made.writes.end(), writes.begin(), writes.end());
  }
  for (std::size_t i = decision.first; i <= decision.last; ++i) {
    const auto& figures = evaluation_.operators[i];
    if (!options_.blocks || decision.pipeline || !figures.on_array ||
        !array_code(i).may_use_blocks(problem_.machine)) {
      made.threads.push_back(thread(i, decision));
      continue;
    }
    const bool fused = i < decision.last && array_code(i).may_fuse(i + 1);
    Thread blocks;
    blocks.op = i;
    blocks.lanes = figures.rows_at_once;
    if (op(i).kind == OperatorKind::product) blocks.body = array_code(i).writes(0, true);
    auto work = array_code(i).blocks(fused ? std::optional(i + 1) : std::nullopt);
    blocks.body.insert(blocks.body.end(), work.begin(), work.end());
    made.threads.push_back(std::move(blocks));
    i += fused ? 1 : 0;
  }
  return made;
}

Program Generator::run() {
  const chip::ChipMachine& machine = problem_.machine;
  program_.machine = machine.name;
  program_.mode = machine.mode;
  const auto addresses = chip::assign_addresses(problem_, decisions_.segments);
  declare(problem_, decisions_, evaluation_, addresses.tensors, program_);
  for (const Int bytes : addresses.segment_bytes) program_.l0_bytes = std::max(program_.l0_bytes, bytes);
  for (const auto& decision : decisions_.segments) program_.segments.push_back(segment(decision));
  return std::move(program_);
}

}  // namespace

Program generate(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                 const chip::ChipEvaluation& evaluation, const GenerateOptions& options) {
  return Generator(problem, decisions, evaluation, options).run();
}

}  // namespace nestor::chip_program
