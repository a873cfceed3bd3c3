#include "heuristics/baselines/stationary.h"

#include <algorithm>

namespace nestor::baselines {
namespace {

using DimOrder = std::array<Dim, dim_count>;

Nest nest_in_order(const LayerShape& layer, const std::array<Extents, max_axes>& spatial,
                   const DimOrder& order) {
  Nest nest{.spatial = spatial, .order = {}};
  for (const Dim dim : order)
    for (const Int factor : temporal_factors(layer, spatial, dim))
      nest.order.push_back({.dim = dim, .factor = factor});
  return nest;
}

/// Every order of the dimensions relevant to `stays`, then every order of the others, one inside the other.
template <typename Visit>
void for_each_order(Operand stays, const Visit& visit) {
  DimOrder order = all_dims;
  const auto inner =
      std::stable_partition(order.begin(), order.end(), [&](Dim dim) { return is_relevant(dim, stays); });
  do {
    do visit(order);
    while (std::next_permutation(inner, order.end()));
  } while (std::next_permutation(order.begin(), inner));
}

}  // namespace

std::optional<Placed> stationary(const LayerShape& layer, const Architecture& machine, Operand stays,
                                 cim::LatencyModel model) {
  std::array<Operand, operand_count> order = all_operands;
  std::swap(order[0], order[index_of(stays)]);
  Int widest = 1;
  for (const Axis& axis : machine.axes) widest = std::max(widest, axis.size);
  for (Int most = widest; most >= 1; most /= 2) {
    const auto spatial = fill_axes(layer, machine, most);
    std::optional<Placed> best;
    for_each_order(stays, [&](const DimOrder& dims) {
      // Dimensions that the axes have used up change nothing wherever they stand.
      const auto has_loop = [&](Dim dim) { return !temporal_factors(layer, spatial, dim).empty(); };
      for (std::size_t d = 0; d + 1 < dim_count; ++d)
        if (is_relevant(dims[d], stays) == is_relevant(dims[d + 1], stays) && !has_loop(dims[d + 1]) &&
            index_of(dims[d]) > index_of(dims[d + 1]))
          return;
      const auto placed = place(layer, machine, nest_in_order(layer, spatial, dims), order, model);
      if (placed && (!best || placed->cycles < best->cycles)) best = placed;
    });
    if (best) return best;
  }
  return std::nullopt;
}

}  // namespace nestor::baselines
