#include "model/chip/program/numbers.h"

#include <algorithm>

namespace nestor::chip_program {
namespace {

using chip::ChipNetwork;
using chip::Operator;

// Returns the channels of the whole operator that a piece computes, in the order of the piece.
std::vector<std::size_t> channels_of(const Operator& whole, const Operator& piece) {
  std::vector<std::size_t> channels;
  const Int groups = piece.piece.adds ? 1 : piece.matrix.groups;
  const Int columns = piece.piece.adds ? piece.channels : piece.matrix.columns;
  for (Int g = 0; g < groups; ++g)
    for (Int n = 0; n < columns; ++n)
      channels.push_back(static_cast<std::size_t>((piece.piece.first_group + g) * whole.matrix.columns +
                                                  piece.piece.first_column + n));
  return channels;
}

std::vector<Int> taken(const std::vector<Int>& values, const std::vector<std::size_t>& channels) {
  if (values.size() <= 1) return values;
  std::vector<Int> made;
  for (const auto at : channels) made.push_back(values[at]);
  return made;
}

OperatorNumbers piece_of(const Operator& whole, const OperatorNumbers& numbers, const Operator& piece,
                         bool partial) {
  OperatorNumbers made = numbers;
  const auto channels = channels_of(whole, piece);
  made.bias = taken(numbers.bias, channels);
  made.mul = taken(numbers.mul, channels);
  made.shift = taken(numbers.shift, channels);
  made.matrix.clear();
  made.extents = {0, 0, 0};
  if (piece.piece.adds) return made;
  if (partial) made.bias.clear(), made.mul.clear(), made.shift.clear(), made.limits.clear();
  const auto& m = piece.matrix;
  made.extents = {m.groups, m.rows, m.columns};
  made.matrix.reserve(static_cast<std::size_t>(m.groups * m.rows * m.columns));
  for (Int g = 0; g < m.groups; ++g)
    for (Int k = 0; k < m.rows; ++k) {
      const Int row = (piece.piece.first_group + g) * whole.matrix.rows + piece.piece.first_row + k;
      const auto first = numbers.matrix.begin() +
                         static_cast<std::ptrdiff_t>(row * whole.matrix.columns + piece.piece.first_column);
      made.matrix.insert(made.matrix.end(), first, first + static_cast<std::ptrdiff_t>(m.columns));
    }
  return made;
}

// If a concat reads the pieces of a split operand, repeats the numbers of the operand for each of its pieces.
void repeat_for_pieces(const ChipNetwork& whole, const Operator& op, const ChipNetwork& fitted,
                       const Operator& cut, OperatorNumbers& numbers) {
  if (op.function.kind != chip::FunctionKind::concat || op.inputs.size() == cut.inputs.size()) return;
  const auto channels = [](const ChipNetwork& network, const chip::OperatorInput& input) {
    return network.is_input(input.tensor) ? network.inputs[input.tensor].channels
                                          : network.operators[network.producer(input.tensor)].channels;
  };
  OperatorNumbers made = numbers;
  made.mul.clear(), made.shift.clear(), made.zero.clear(), made.scales.clear();
  std::size_t at = 0;
  Int left = channels(whole, op.inputs[0]);
  for (const auto& input : cut.inputs) {
    if (left <= 0 && at + 1 < op.inputs.size()) left = channels(whole, op.inputs[++at]);
    left -= channels(fitted, input);
    made.mul.push_back(numbers.mul[at]);
    made.shift.push_back(numbers.shift[at]);
    made.zero.push_back(numbers.zero[at]);
    made.scales.push_back(numbers.scales[at]);
  }
  made.zero.push_back(numbers.zero.back());
  made.scales.push_back(numbers.scales.back());
  numbers = std::move(made);
}

}  // namespace

ProgramNumbers cut_numbers(const ChipNetwork& whole, const ProgramNumbers& numbers,
                           const ChipNetwork& fitted) {
  std::vector<bool> partial(fitted.operators.size());
  for (const Operator& op : fitted.operators) {
    if (!op.piece.adds) continue;
    for (const auto& input : op.inputs)
      if (!fitted.is_input(input.tensor)) partial[fitted.producer(input.tensor)] = true;
  }
  ProgramNumbers made;
  std::size_t at = 0;
  for (std::size_t i = 0; i < fitted.operators.size(); ++i) {
    const Operator& op = fitted.operators[i];
    const std::string& name = op.piece.of.empty() ? op.name : op.piece.of;
    while (whole.operators[at].name != name) ++at;
    made.operators.push_back(op.piece.of.empty()
                                 ? numbers.operators[at]
                                 : piece_of(whole.operators[at], numbers.operators[at], op, partial[i]));
    if (op.piece.of.empty()) repeat_for_pieces(whole, whole.operators[at], fitted, op, made.operators.back());
  }
  return made;
}

namespace {

// Copies the numbers of a piece to its position in the whole operator. Returns false if the piece exceeds the
// operator.
bool put_piece(const Operator& op, const ProgramOperator& piece, const OperatorNumbers& numbers,
               OperatorNumbers& made) {
  const auto& k = piece.keys;
  const bool matrix = !numbers.matrix.empty();
  const Int groups = matrix ? k.groups : 1;
  const Int columns = matrix ? k.matrix[1] : static_cast<Int>(numbers.bias.size());
  if (k.piece[0] + groups > op.matrix.groups || k.piece[1] + columns > op.matrix.columns ||
      (matrix && k.piece[2] + k.matrix[0] > op.matrix.rows))
    return false;
  for (Int g = 0; g < (matrix ? groups : 0); ++g)
    for (Int row = 0; row < k.matrix[0]; ++row)
      std::copy_n(
          numbers.matrix.begin() + static_cast<std::ptrdiff_t>((g * k.matrix[0] + row) * columns), columns,
          made.matrix.begin() +
              static_cast<std::ptrdiff_t>(
                  ((k.piece[0] + g) * op.matrix.rows + k.piece[2] + row) * op.matrix.columns + k.piece[1]));
  if (made.zero.empty()) made.zero = numbers.zero, made.scales = numbers.scales;
  if (k.partial != 0) return true;
  made.limits = numbers.limits;
  for (const auto list : {&OperatorNumbers::bias, &OperatorNumbers::mul, &OperatorNumbers::shift})
    (made.*list).insert((made.*list).end(), (numbers.*list).begin(), (numbers.*list).end());
  return true;
}

}  // namespace

std::optional<ProgramNumbers> join_numbers(const ChipNetwork& whole, const Program& program) {
  if (!program.numbers) return std::nullopt;
  ProgramNumbers made;
  std::size_t at = 0;
  for (const Operator& op : whole.operators) {
    made.operators.emplace_back();
    OperatorNumbers& numbers = made.operators.back();
    if (at < program.operators.size() && program.operators[at].name == op.name) {
      numbers = program.numbers->operators[at++];
      continue;
    }
    const auto& m = op.matrix;
    numbers.extents = {m.groups, m.rows, m.columns};
    numbers.matrix.resize(static_cast<std::size_t>(m.groups * m.rows * m.columns));
    Int channels = 0;
    while (channels < op.channels) {
      if (at == program.operators.size() || !program.operators[at].name.starts_with(op.name + ".") ||
          !put_piece(op, program.operators[at], program.numbers->operators[at], numbers))
        return std::nullopt;
      if (program.operators[at].keys.partial == 0)
        channels += program.tensors[program.operators[at].output].channels;
      ++at;
    }
  }
  return at == program.operators.size() ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace nestor::chip_program
