// Function of a chip operator (docs/models/chip-program.md, "Functions"). The cost model does not use it: the
// sizes of the operators, and the rows and pixels that they wait for, determine the run time. Programs that
// are executed, and the integer reference, require the kernel, the padding and the function of each digital
// operator. ONNX files contain them; for a chip-network file, they are derived from the shapes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "base/enum_words.h"

namespace nestor::chip {

enum class FunctionKind : std::uint8_t {
  unknown,  ///< no function fits the shapes; the operator is timed but not executed
  convolution,
  product,
  relu,
  add,
  subtract,
  multiply,
  max_pool,
  average_pool,
  copy,
  sum,
  table,  ///< any function of a single element
  softmax,
  layer_norm,
  concat,       ///< along channels
  concat_rows,  ///< along rows
};

/// Words for the functions in programs. Binary programs store indices of this table.
inline constexpr auto function_kinds = enum_words<FunctionKind>({{FunctionKind::unknown, "unknown"},
                                                                 {FunctionKind::convolution, "conv"},
                                                                 {FunctionKind::product, "product"},
                                                                 {FunctionKind::relu, "relu"},
                                                                 {FunctionKind::add, "add"},
                                                                 {FunctionKind::subtract, "sub"},
                                                                 {FunctionKind::multiply, "mul"},
                                                                 {FunctionKind::max_pool, "maxpool"},
                                                                 {FunctionKind::average_pool, "avgpool"},
                                                                 {FunctionKind::copy, "copy"},
                                                                 {FunctionKind::sum, "sum"},
                                                                 {FunctionKind::table, "table"},
                                                                 {FunctionKind::softmax, "softmax"},
                                                                 {FunctionKind::layer_norm, "layernorm"},
                                                                 {FunctionKind::concat, "concat"},
                                                                 {FunctionKind::concat_rows, "concatrows"}});
constexpr std::string_view to_string(FunctionKind kind) { return function_kinds.word(kind); }

/// Reinterpreted shape of an operand: the same elements, starting at element `first`.
struct View {
  Int rows = 0;  ///< 0: the original shape
  Int width = 0;
  Int channels = 0;
  Int first = 0;
  bool operator==(const View&) const = default;
};

struct Function {
  FunctionKind kind = FunctionKind::unknown;
  std::array<Int, 2> kernel = {1, 1};  ///< along rows, and along the pixels of a row
  std::array<Int, 2> stride = {1, 1};
  std::array<Int, 2> pad = {0, 0};  ///< above, left
  std::array<Int, 2> dilation = {1, 1};
  std::string table;        ///< table: name of the unary function
  Int groups = 1;           ///< softmax, layernorm: number of independent parts of a pixel
  bool transposed = false;  ///< product: element (k, n) of the second factor is channel k of its row n
  Int constant_rows = 0;    ///< concat_rows: number of leading constant rows
  std::vector<View> views;  ///< one per operand, in order; operands without a view keep their shape
  bool operator==(const Function&) const = default;
};

}  // namespace nestor::chip
