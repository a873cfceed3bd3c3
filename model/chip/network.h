// A network of chip operators (docs/models/chip.md, section 2): each makes one tensor, row after row, a row
// pixel by pixel, a pixel channel by channel. An operator holds weights on crossbars (array), runs on the
// digital unit (alu), or multiplies two activations and may go either way (product). The list is in
// topological order. Tensors are numbered: the network's inputs first, then one per operator in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/enum_words.h"
#include "model/chip/function.h"

namespace nestor::chip {

struct Bits {
  Int I = 8;  ///< of input elements
  Int W = 8;  ///< of weights
  Int O = 8;  ///< of output elements
};

struct NetworkInput {
  std::string name;
  Int rows = 1;
  Int width = 1;
  Int channels = 1;
};

enum class OperatorKind : std::uint8_t { array, alu, product };

inline constexpr auto operator_kinds = enum_words<OperatorKind>(
    {{OperatorKind::array, "array"}, {OperatorKind::alu, "alu"}, {OperatorKind::product, "product"}});
constexpr std::string_view to_string(OperatorKind kind) { return operator_kinds.word(kind); }

/// K = rows, N = columns of one group, G = groups.
struct Matrix {
  Int rows = 0;
  Int columns = 0;
  Int groups = 1;
};

/// Output row r waits for row min(H' - 1, max(0, floor((a*r + b) / c))) of the input, H' its rows.
struct Need {
  Int a = 1;
  Int b = 0;
  Int c = 1;
};

constexpr Int floor_divide(Int a, Int b) { return a / b - static_cast<Int>(a % b < 0); }

struct OperatorInput {
  std::size_t tensor = 0;  ///< ChipNetwork::tensor_*
  Need need;
  bool gated = false;  ///< second factor of a product: the whole tensor
  /// Window x waits for pixel min(W' - 1, max(0, floor((a*x + b) / c))) of that row; left out: for the row.
  std::optional<Need> pixels = std::nullopt;
  Int taps = 1;      ///< equal blocks of matrix rows, one per row of the window
  Int tap_step = 0;  ///< rows of the input between one block and the next
};

/// Where a piece of a split operator lies in the one it was cut from (split.h). Whole operators: all 0.
struct Piece {
  std::string of;        ///< name of the operator in the file; empty: not a piece
  Int first_group = 0;   ///< groups first_group .. + matrix.groups - 1
  Int first_column = 0;  ///< output channels of one group
  Int first_row = 0;     ///< matrix rows; partial sums if the piece lacks some
  bool adds = false;     ///< the alu operator that adds the row blocks of NAME.k
};

struct Operator {
  std::string name;
  OperatorKind kind = OperatorKind::alu;
  Int rows = 1;         ///< H
  Int width = 1;        ///< W: pixels of a row, windows, MVMs
  Int channels = 1;     ///< elements of an output pixel
  Int in_channels = 1;  ///< elements of an input pixel
  Int row_in = 0;       ///< input elements that are new in an output row
  Matrix matrix;        ///< array, product
  Int alu_ops = 0;      ///< per output row: alu, product
  Bits bits;
  std::vector<OperatorInput> inputs;
  Piece piece;
  Function function;  ///< what it computes: for programs, not for costs
  /// Digital operators on a chip with functions of its own (functions.h): the word that a network file asks
  /// for, or the functions that the operator was lowered to when ONNX was read, in the order of their calls.
  std::string asked;
  std::vector<std::string> calls;
};

/// Of all its rows; nothing beyond what can be counted.
constexpr std::optional<Int> multiplications(const Operator& op) {
  std::optional<Int> count = op.rows;
  for (const Int factor : {op.width, op.matrix.groups, op.matrix.rows, op.matrix.columns})
    if (count) count = checked_multiply(*count, factor);
  return count;
}

struct ChipNetwork {
  std::string name;
  Bits bits;
  std::vector<NetworkInput> inputs;
  std::vector<Operator> operators;
  std::vector<std::size_t> outputs;  ///< operators, in the order of the file; never empty after reading

  std::size_t tensors() const { return inputs.size() + operators.size(); }
  bool is_input(std::size_t tensor) const { return tensor < inputs.size(); }
  /// The operator that makes a tensor that is no network input.
  std::size_t producer(std::size_t tensor) const { return tensor - inputs.size(); }
  std::size_t tensor_of(std::size_t op) const { return inputs.size() + op; }
  Int tensor_rows(std::size_t tensor) const {
    return is_input(tensor) ? inputs[tensor].rows : operators[producer(tensor)].rows;
  }
};

/// Element floor((a*at + b) / c) of `count`, the nearest one if there is none such.
inline Int needed_element(const Need& need, Int at, Int count) {
  return std::min(count - 1, std::max<Int>(0, floor_divide(need.a * at + need.b, need.c)));
}

/// The row of a tensor of `rows` rows that output row r waits for; a gated input waits for the last
/// (docs/models/chip.md (2.1)).
inline Int needed_row(const OperatorInput& input, Int r, Int rows) {
  if (input.gated) return rows - 1;
  return needed_element(input.need, r, rows);
}

}  // namespace nestor::chip
