// Network of chip operators (docs/models/chip.md, section 2). Each operator produces one tensor: row by row,
// a row pixel by pixel, a pixel channel by channel. An operator has weights on crossbars (array), runs on the
// digital unit (alu), or multiplies two activations on either of them (product). Operators are listed in
// topological order. Tensors are numbered: first the network's inputs, then one per operator in that order.
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
  Int I = 8;  ///< bits of an input element
  Int W = 8;  ///< bits of a weight
  Int O = 8;  ///< bits of an output element
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

/// Matrix of an operator: K = rows, N = columns of one group, G = groups.
struct Matrix {
  Int rows = 0;
  Int columns = 0;
  Int groups = 1;
};

/// Input row for which an output row waits: output row r waits for row min(H' - 1, max(0, floor((a*r + b) /
/// c))), where H' is the number of input rows.
struct Need {
  Int a = 1;
  Int b = 0;
  Int c = 1;
  bool operator==(const Need&) const = default;
};

constexpr Int floor_divide(Int a, Int b) { return a / b - static_cast<Int>(a % b < 0); }

struct OperatorInput {
  std::size_t tensor = 0;  ///< number of the tensor in the ChipNetwork
  Need need;
  bool gated = false;  ///< true for the second factor of a product: rows wait for the whole tensor
  /// Window x waits for pixel min(W' - 1, max(0, floor((a*x + b) / c))) of the row for which its output row
  /// waits, where W' is the number of pixels of that row. Without a value, the window waits for the whole
  /// row.
  std::optional<Need> pixels = std::nullopt;
  Int taps = 1;      ///< number of equal blocks of matrix rows, one per row of the window
  Int tap_step = 0;  ///< number of input rows from one block to the next
};

/// Position of a piece of a split operator in the original operator (split.h). Operators that are not pieces
/// have the default values.
struct Piece {
  std::string of;        ///< name of the original operator; empty: not a piece
  Int first_group = 0;   ///< the piece has the groups first_group .. first_group + matrix.groups - 1
  Int first_column = 0;  ///< first matrix column of the piece
  Int first_row = 0;     ///< first matrix row of the piece; a piece without all rows computes partial sums
  bool adds = false;     ///< true for the alu operator that adds the partial sums of the row blocks
};

struct Operator {
  std::string name;
  OperatorKind kind = OperatorKind::alu;
  Int rows = 1;         ///< H
  Int width = 1;        ///< W: pixels per row; a row has as many windows and MVMs as pixels
  Int channels = 1;     ///< number of elements of an output pixel
  Int in_channels = 1;  ///< number of elements of an input pixel
  Int row_in = 0;       ///< number of input elements that are new for each output row
  Matrix matrix;        ///< only for array and product operators
  Int alu_ops = 0;      ///< number of operations per output row; only for alu and product operators
  Bits bits;
  std::vector<OperatorInput> inputs;
  Piece piece;
  Function function;  ///< function that it computes; used for programs, not for costs
  /// Used by digital operators on a chip that lists its functions (functions.h). `asked` is the word that a
  /// network file specifies. `calls` are the functions to which the operator was lowered when ONNX was read,
  /// in call order.
  std::string asked;
  std::vector<std::string> calls;
};

/// Returns the number of multiplications of all rows, or nothing if it overflows.
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
  std::vector<std::size_t> outputs;  ///< operator indices in file order; never empty if read from a file

  std::size_t tensors() const { return inputs.size() + operators.size(); }
  bool is_input(std::size_t tensor) const { return tensor < inputs.size(); }
  /// Returns the operator that produces a tensor. The tensor must not be a network input.
  std::size_t producer(std::size_t tensor) const { return tensor - inputs.size(); }
  std::size_t tensor_of(std::size_t op) const { return inputs.size() + op; }
  Int tensor_rows(std::size_t tensor) const {
    return is_input(tensor) ? inputs[tensor].rows : operators[producer(tensor)].rows;
  }
};

/// Returns the index floor((a*at + b) / c), clamped to 0 .. count - 1.
inline Int needed_element(const Need& need, Int at, Int count) {
  return std::min(count - 1, std::max<Int>(0, floor_divide(need.a * at + need.b, need.c)));
}

/// Returns the row of the operand (with `rows` rows) for which output row r waits. A gated input waits for
/// the last row; docs/models/chip.md, eq. (2.1).
inline Int needed_row(const OperatorInput& input, Int r, Int rows) {
  if (input.gated) return rows - 1;
  return needed_element(input.need, r, rows);
}

}  // namespace nestor::chip
