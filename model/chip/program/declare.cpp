#include "model/chip/program/declare.h"

#include <algorithm>

#include "model/chip/functions.h"
#include "model/chip/program/constants.h"

namespace nestor::chip_program {
namespace {

using chip::OperatorKind;

// Sets the keys that describe an operator's crossbars. Positions count the usable crossbars of all cores.
// Without level mvm, each copy starts on a new core.
void place(const chip::ChipProblem& problem, std::size_t i, const chip::OperatorFigures& figures, bool mvm,
           Keys& keys) {
  const auto& facts = problem.facts[i];
  const Int copy = facts.layout.crossbars(figures.parts);
  keys.parts = figures.parts;
  keys.columns = facts.layout.columns;
  keys.copies = figures.copies;
  keys.phases = figures.phases;
  keys.usable = facts.usable;
  keys.xb = figures.first_core.value_or(0) * facts.usable;
  keys.spacing = mvm ? copy : ceil_divide(copy, facts.usable) * facts.usable;
}

// Returns the name of the operator from which a piece was cut, or the name of an operator that is not a
// piece. All pieces use the seed of this name.
const std::string& whole_name(const chip::Operator& op) {
  return op.piece.of.empty() ? op.name : op.piece.of;
}

Keys keys_of(const chip::ChipProblem& problem, const chip::Decisions& decisions,
             const chip::OperatorFigures& figures, std::size_t i) {
  const chip::Operator& op = problem.network.operators[i];
  const chip::Function& function = op.function;
  Keys keys;
  keys.bits = {op.bits.I, op.bits.W, op.bits.O};
  keys.kernel = function.kernel;
  keys.stride = function.stride;
  keys.pad = function.pad;
  keys.dilation = function.dilation;
  keys.in_channels = op.in_channels;
  keys.row_in = op.row_in;
  keys.ops = op.alu_ops;
  keys.piece = {op.piece.first_group, op.piece.first_column, op.piece.first_row};
  keys.transposed = function.transposed ? 1 : 0;
  keys.constant_rows = function.constant_rows;
  keys.groups = function.groups;
  const auto view = [&](std::size_t at) -> std::array<Int, 4> {
    if (at >= function.views.size()) return {0, 0, 0, 0};
    const chip::View& v = function.views[at];
    return {v.rows, v.width, v.channels, v.first};
  };
  keys.view = view(0);
  keys.view2 = view(1);
  if (op.kind != OperatorKind::alu) {
    keys.matrix = {op.matrix.rows, op.matrix.columns};
    keys.groups = op.matrix.groups;
    if (figures.on_array) place(problem, i, figures, decisions.levels.mvm, keys);
  }
  return keys;
}

// Returns the number of matrix rows of an operator or, for a sum of pieces, of the operator that was split.
Int whole_rows(const chip::ChipNetwork& network, std::size_t i) {
  const chip::Operator& op = network.operators[i];
  Int rows = op.matrix.rows;
  if (!op.piece.adds) return rows;
  for (const auto& input : op.inputs) {
    if (network.is_input(input.tensor)) continue;
    const chip::Operator& block = network.operators[network.producer(input.tensor)];
    rows = std::max(rows, block.piece.first_row + block.matrix.rows);
  }
  return rows;
}

bool is_row_block(const chip::ChipNetwork& network, std::size_t i) {
  for (std::size_t k = i + 1; k < network.operators.size(); ++k) {
    const chip::Operator& sum = network.operators[k];
    if (!sum.piece.adds) continue;
    return std::any_of(sum.inputs.begin(), sum.inputs.end(), [&](const chip::OperatorInput& input) {
      return input.tensor == network.tensor_of(i);
    });
  }
  return false;
}

}  // namespace

void declare(const chip::ChipProblem& problem, const chip::Decisions& decisions,
             const chip::ChipEvaluation& evaluation, const std::vector<Int>& addresses, Program& program) {
  const chip::ChipNetwork& network = problem.network;
  for (std::size_t t = 0; t < network.inputs.size(); ++t) {
    const auto& input = network.inputs[t];
    program.tensors.push_back(
        {input.name, addresses[t], input.rows, input.width, input.channels, network.bits.I});
  }
  for (std::size_t i = 0; i < network.operators.size(); ++i) {
    const chip::Operator& op = network.operators[i];
    program.tensors.push_back(
        {op.name, addresses[network.tensor_of(i)], op.rows, op.width, op.channels, op.bits.O});
    ProgramOperator made;
    made.name = op.name;
    made.type = op.piece.adds ? FunctionKind::sum : op.function.kind;
    made.table = op.function.table;
    if (!evaluation.operators[i].on_array) made.calls = chip::calls_of(problem.machine, op);
    if (made.calls == std::vector{std::string(to_string(made.type))}) made.calls.clear();
    made.keys = keys_of(problem, decisions, evaluation.operators[i], i);
    made.keys.seed = seed_of(whole_name(op));
    made.keys.partial = !op.piece.of.empty() && !op.piece.adds && is_row_block(network, i) ? 1 : 0;
    const bool multiplies = op.kind != OperatorKind::alu || op.piece.adds;
    if (multiplies && made.keys.partial == 0) {
      chip::Bits bits = op.bits;
      // The row blocks have the input bits of the operator that was split. The inputs of the sum are their
      // 32-bit results.
      if (op.piece.adds && !op.inputs.empty() && !network.is_input(op.inputs.front().tensor))
        bits.I = network.operators[network.producer(op.inputs.front().tensor)].bits.I;
      made.keys.requant = requantisation(whole_rows(network, i), bits.I, bits.W, bits.O);
    }
    if (made.type == FunctionKind::multiply) made.keys.requant = {1, std::max<Int>(0, op.bits.I - 1)};
    if (made.type == FunctionKind::layer_norm) made.keys.requant = {1, std::max<Int>(0, 10 - op.bits.O)};
    for (const auto& input : op.inputs) made.inputs.push_back(input.tensor);
    made.output = network.tensor_of(i);
    program.operators.push_back(std::move(made));
  }
}

}  // namespace nestor::chip_program
