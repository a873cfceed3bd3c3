#include "io/cnm/mlir_named.h"

#include <algorithm>
#include <array>

#include "io/cnm/mlir_region.h"
#include "io/cnm/mlir_types.h"

namespace nestor::io {
namespace {

using cnm::AffineExpr;
using cnm::RegionStep;

// A named operation. Each dim is a letter; the last `summed` dims are reduced. Each operand lists the dims
// that index it. Y combines the dims h and i, and X the dims w and j, with strides and dilations: the row and
// the column under a window.
struct NamedOperation {
  std::string_view word;
  std::string_view dims;
  std::size_t summed;
  std::string_view operands;
};
constexpr auto named_rows = std::to_array<NamedOperation>({
    {"matvec", "mk", 1, "mk k m"},
    {"vecmat", "nk", 1, "k kn n"},
    {"matmul", "mnk", 1, "mk kn mn"},
    {"matmul_transpose_a", "mnk", 1, "km kn mn"},
    {"matmul_transpose_b", "mnk", 1, "mk nk mn"},
    {"batch_matmul", "bmnk", 1, "bmk bkn bmn"},
    {"batch_matvec", "bmk", 1, "bmk bk bm"},
    {"dot", "k", 1, "k k "},
    {"conv_2d_nchw_fchw", "nfhwcij", 3, "ncYX fcij nfhw"},
    {"conv_2d_nhwc_hwcf", "nhwfijc", 3, "nYXc ijcf nhwf"},
    {"depthwise_conv_2d_nchw_chw", "nhwcij", 2, "ncYX cij nchw"},
    {"depthwise_conv_2d_nhwc_hwc", "nhwcij", 2, "nYXc ijc nhwc"},
    {"pooling_nchw_sum", "nchwij", 2, "ncYX ij nchw"},
    {"pooling_nchw_max", "nchwij", 2, "ncYX ij nchw"},
    {"pooling_nhwc_sum", "nhwcij", 2, "nYXc ij nhwc"},
    {"pooling_nhwc_max", "nhwcij", 2, "nYXc ij nhwc"},
    {"pooling_nhwc_min", "nhwcij", 2, "nYXc ij nhwc"},
});

// The arith words of an elementwise operation, by the type of its elements.
struct Elementwise {
  std::string_view word;
  std::string_view of_integers, of_reals;
};
constexpr auto elementwise_rows = std::to_array<Elementwise>({{"add", "addi", "addf"},
                                                              {"sub", "subi", "subf"},
                                                              {"mul", "muli", "mulf"},
                                                              {"div", "divsi", "divf"},
                                                              {"max", "maxsi", "maximumf"},
                                                              {"min", "minsi", "minimumf"},
                                                              {"negf", "negf", "negf"}});
constexpr auto other_operations =
    std::to_array<std::string_view>({"generic", "fill", "copy", "transpose", "broadcast", "reduce", "map"});

const Elementwise* elementwise(std::string_view word) {
  for (const Elementwise& row : elementwise_rows)
    if (row.word == word) return &row;
  return nullptr;
}

std::vector<AffineExpr> identity(std::size_t rank, std::size_t dims) {
  std::vector<AffineExpr> map(rank, {std::vector<Int>(dims, 0), 0});
  for (std::size_t d = 0; d < rank; ++d) map[d].factors[d] = 1;
  return map;
}

NamedShape shape_of(const NamedOperation& row, const NamedAttributes& attributes) {
  NamedShape shape;
  shape.reduction.assign(row.dims.size(), false);
  std::fill(shape.reduction.end() - static_cast<std::ptrdiff_t>(row.summed), shape.reduction.end(), true);
  shape.maps.emplace_back();
  for (const char letter : row.operands) {
    if (letter == ' ') {
      shape.maps.emplace_back();
      continue;
    }
    AffineExpr expr{std::vector<Int>(row.dims.size(), 0), 0};
    const auto add = [&](char dim, Int factor) { expr.factors[row.dims.find(dim)] += factor; };
    if (letter == 'Y' || letter == 'X') {
      const std::size_t side = letter == 'X' ? 1 : 0;
      add(side == 1 ? 'w' : 'h', attributes.strides[side]);
      add(side == 1 ? 'j' : 'i', attributes.dilations[side]);
    } else {
      add(letter, 1);
    }
    shape.maps.back().push_back(std::move(expr));
  }
  return shape;
}

// Returns the shape of reduce, broadcast or transpose. One operand has the dims of the other operand, without
// the dims in `listed` or, for transpose, in the order of `listed`.
NamedShape rearranged(std::string_view word, const std::vector<Int>& listed, std::size_t rank) {
  NamedShape shape;
  const auto all = identity(rank, rank);
  const auto is_listed = [&](std::size_t d) {
    return std::find(listed.begin(), listed.end(), static_cast<Int>(d)) != listed.end();
  };
  std::vector<AffineExpr> other;
  shape.reduction.assign(rank, false);
  if (word == "transpose") {
    other.resize(rank, {std::vector<Int>(rank, 0), 0});
    for (std::size_t d = 0; d < std::min(rank, listed.size()); ++d)
      if (static_cast<std::size_t>(listed[d]) < rank)
        other[static_cast<std::size_t>(listed[d])].factors[d] = 1;
  } else {
    for (std::size_t d = 0; d < rank; ++d)
      if (!is_listed(d)) other.push_back(all[d]);
  }
  if (word == "reduce") {
    for (std::size_t d = 0; d < rank; ++d) shape.reduction[d] = is_listed(d);
    shape.maps = {all, std::move(other)};
  } else {
    shape.maps = {std::move(other), all};
  }
  return shape;
}

}  // namespace

std::vector<std::string_view> named_operations() {
  std::vector<std::string_view> words(other_operations.begin(), other_operations.end());
  for (const NamedOperation& row : named_rows) words.push_back(row.word);
  for (const Elementwise& row : elementwise_rows) words.push_back(row.word);
  return words;
}

bool is_window(std::string_view word, std::size_t input) {
  return word.starts_with("pooling_") && input == 1;
}

std::optional<NamedShape> shape_of_named(std::string_view word, const NamedAttributes& attributes,
                                         std::size_t input_rank, std::size_t output_rank,
                                         std::size_t inputs) {
  for (const NamedOperation& row : named_rows)
    if (row.word == word) return shape_of(row, attributes);
  NamedShape shape;
  const auto all = identity(output_rank, output_rank);
  shape.reduction.assign(output_rank, false);
  if (elementwise(word) != nullptr) {
    shape.maps.assign(word == "negf" ? 2 : 3, all);
  } else if (word == "copy") {
    shape.maps.assign(2, all);
  } else if (word == "map") {
    shape.maps.assign(inputs + 1, all);
  } else if (word == "transpose" || word == "broadcast") {
    shape = rearranged(word, attributes.dims, output_rank);
  } else if (word == "reduce") {
    std::vector<Int> summed = attributes.dims;
    for (std::size_t d = 0; attributes.dims.empty() && d < input_rank; ++d)
      summed.push_back(static_cast<Int>(d));
    shape = rearranged(word, summed, input_rank);
  } else {
    return std::nullopt;
  }
  return shape;
}

void add_region_of_named(std::string_view word, const std::string& reducer, cnm::Type type,
                         std::vector<std::size_t> inputs, cnm::Kernel& kernel) {
  const bool real = cnm::is_real(type);
  const std::size_t operands = kernel.operands.size();
  const std::size_t output = operands - 1;
  const auto add = [&](std::string_view text, std::vector<std::size_t> arguments) {
    kernel.region.push_back({RegionStep::Kind::operation, arith_word(text).value_or(ArithWord{}).op, type,
                             std::string(text), std::move(arguments)});
  };
  if (word == "copy" || word == "transpose" || word == "broadcast") {
    kernel.yields = {inputs[0]};
    return note_reads(kernel);
  }
  auto operation = word;
  if (word.starts_with("pooling_")) {
    operation = word.ends_with("_sum") ? "add" : word.substr(word.size() - 3);
    inputs = {inputs[0], output};
  } else if (word == "negf") {
    inputs.resize(1);
  }
  if (const Elementwise* const row = elementwise(operation)) {
    add(real ? row->of_reals : row->of_integers, inputs);
  } else if (word == "map") {
    const auto meaning = arith_word(reducer).value_or(ArithWord{});
    inputs.resize(meaning.arguments, inputs[0]);
    add(reducer, inputs);
  } else if (word == "reduce") {
    add(reducer, {inputs[0], output});
  } else {
    add(real ? "mulf" : "muli", {inputs[0], inputs[1]});
    add(real ? "addf" : "addi", {output, operands});
  }
  kernel.yields = {operands + kernel.region.size() - 1};
  note_reads(kernel);
}

}  // namespace nestor::io
