#include "mapper/cnm/layer_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"

namespace nestor::cnm {
namespace {

// Returns the narrowest integer type with at least this many bits, or nothing if there is none.
std::optional<Type> integer_of(Int bits) {
  for (const Type type : {Type::i8, Type::i16, Type::i32, Type::i64})
    if (bits <= 8 * bytes_of(type)) return type;
  return std::nullopt;
}

// Types of a matrix product. A product of two elements has the narrowest type with twice the bits of the
// wider element, but at most the type of the sum.
struct Widths {
  ProductTypes types;
  Int multiply_k = default_multiply_k;
  std::string fault{};
};
Widths widths_of(const BitWidths& bits, const System& system, std::optional<Type> type) {
  if (type) return {ProductTypes::all(*type)};
  // HBM-PIM computes in f16. Layers of 16 bits get this type; for other types, the estimate adds a note.
  constexpr Int lane = 16;
  if (system.target == Target::hbm_pim && bits.input == lane && bits.weight == lane)
    return {ProductTypes::all(Type::f16)};
  const auto left = integer_of(bits.weight), right = integer_of(bits.input),
             sum = integer_of(bits.partial_sum);
  if (!left || !right || !sum)
    return {{}, default_multiply_k, "elements are wider than 64 bits; set narrower ones with --bits"};
  const auto product = integer_of(2 * std::max(bits.input, bits.weight)).value_or(Type::i64);
  const auto widest = std::max({*sum, *left, *right});
  // A factor of w bits is less than 2^w; multiply_k = k requires a factor below 2^(k + 1).
  return {{*left, *right, std::min(product, widest), widest}, std::min(bits.input, bits.weight) - 1};
}

}  // namespace

std::string kernel_name(const std::string& label) {
  std::string name = label;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) c = '_';
  }
  const bool letter = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  return letter ? name : "layer_" + name;
}

std::optional<Int> products_of_layer(const Layer& layer) {
  std::optional<Int> products = layer.repeat;
  for (const Int bound : layer.shape.bounds) {
    products = checked_multiply(*products, bound);
    if (!products) break;
  }
  return products;
}

LayerKernel kernel_of_layer(const Layer& layer, const System& system, std::optional<Type> type) {
  LayerKernel found;
  const LayerShape& shape = layer.shape;
  if (shape.relevance != Relevance::convolution()) found.fault = "not a matrix product";
  Widths widths = widths_of(shape.bits, system, type);
  if (found.fault.empty()) found.fault = widths.fault;
  const auto products = products_of_layer(layer);
  if (found.fault.empty() && (!products || *products > max_count))
    found.fault = "the number of iterations is too large";
  if (!found.fault.empty()) return found;
  const auto product_of = [&](auto... dims) { return (shape.bound(dims) * ...); };
  const Int summed = product_of(Dim::C, Dim::R, Dim::S);
  const Int places = product_of(Dim::N, Dim::P, Dim::Q);
  Int groups = layer.repeat % layer.groups == 0 ? layer.groups : 1;
  found.repeat = layer.repeat / groups;
  groups *= shape.bound(Dim::G);
  found.kernel =
      matrix_product(kernel_name(layer.name), groups, shape.bound(Dim::K), places, summed, widths.types);
  found.kernel.multiply_k = widths.multiply_k;
  found.fault = find_fault(found.kernel);
  return found;
}

}  // namespace nestor::cnm
