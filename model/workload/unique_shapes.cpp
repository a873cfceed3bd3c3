#include "model/workload/unique_shapes.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nestor {
namespace {

auto key(const LayerShape& shape) {
  const auto seen = [&shape](Operand operand) { return shape.relevance.of(operand).bits(); };
  return std::tuple_cat(std::tie(shape.bounds, shape.stride, shape.dilation, shape.bits.input,
                                 shape.bits.weight, shape.bits.output, shape.bits.partial_sum),
                        std::make_tuple(seen(Operand::I), seen(Operand::W), seen(Operand::O)));
}

}  // namespace

std::optional<UniqueShapes> unique_shapes(std::span<const Layer> layers) {
  // Sorting makes equal shapes adjacent, the earliest layer first. No hash is used, so the order is always
  // the same.
  std::vector<std::size_t> order(layers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(layers[a].shape) < key(layers[b].shape); });
  std::vector<std::size_t> first_of_layer(layers.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool continues = i > 0 && layers[order[i]].shape == layers[order[i - 1]].shape;
    first_of_layer[order[i]] = continues ? first_of_layer[order[i - 1]] : order[i];
  }

  UniqueShapes result;
  result.shape_of_layer.resize(layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::size_t first = first_of_layer[i];
    if (first == i) {
      result.shape_of_layer[i] = result.shapes.size();
      result.shapes.push_back({i, layers[i].repeat});
      continue;
    }
    const std::size_t shape = result.shape_of_layer[first];
    result.shape_of_layer[i] = shape;
    const auto sum = checked_add(result.shapes[shape].repeat, layers[i].repeat);
    if (!sum) return std::nullopt;
    result.shapes[shape].repeat = *sum;
  }
  return result;
}

}  // namespace nestor
