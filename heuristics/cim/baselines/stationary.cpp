#include "heuristics/cim/baselines/stationary.h"

#include <algorithm>

namespace nestor::baselines {
namespace {

/// Largest number of loops that change the tile of `stays` but are inside its innermost memory; capacities
/// usually allow fewer.
constexpr std::size_t most_held = 12;

using DimOrder = FixedVector<Dim, dim_count>;

/// Orders the loops: loops that change the tile of `stays` are outside, and loops that reuse it are inside.
/// The `held` innermost of the changing loops are moved to the inside, so that the innermost memory stores
/// the data over which they iterate.
Nest nest_in_order(const LayerShape& layer, const SpatialFactors& spatial, const DimOrder& order,
                   Operand stays, std::size_t held) {
  FixedVector<Loop, max_loops> changing;
  FixedVector<Loop, max_loops> reusing;
  for (const Dim dim : order)
    for (const Int factor : temporal_factors(layer, spatial, dim))
      (layer.is_relevant(dim, stays) ? changing : reusing).push_back({.dim = dim, .factor = factor});
  Nest nest{.spatial = spatial, .order = {}};
  const std::size_t outside = changing.size() - std::min(held, changing.size());
  for (std::size_t i = 0; i < outside; ++i) nest.order.push_back(changing[i]);
  for (const Loop& loop : reusing) nest.order.push_back(loop);
  for (std::size_t i = outside; i < changing.size(); ++i) nest.order.push_back(changing[i]);
  return nest;
}

/// True if every tile of the innermost memory is loaded once, that is, if all loops outside the memory change
/// the tile.
bool stays_put(const Mapping& mapping, const LayerShape& layer, const Architecture& machine, Operand stays) {
  for (const Loop& loop : mapping.loops)
    if (loop.at[index_of(stays)] != machine.innermost(stays) && !layer.is_relevant(loop.dim, stays))
      return false;
  return true;
}

/// Visits every order of the dimensions relevant to `stays`, combined with every order of the other
/// dimensions.
template <typename Visit>
void for_each_order(const LayerShape& layer, Operand stays, const Visit& visit) {
  DimOrder order;
  for (const Dim dim : all_dims)
    if (dim != Dim::G || layer.bound(dim) > 1) order.push_back(dim);
  const auto inner = std::stable_partition(order.begin(), order.end(),
                                           [&](Dim dim) { return layer.is_relevant(dim, stays); });
  do {
    do visit(order);
    while (std::next_permutation(inner, order.end()));
  } while (std::next_permutation(order.begin(), inner));
}

}  // namespace

std::optional<Placed> stationary(const LayerShape& layer, const Architecture& machine, Operand stays,
                                 cim::LatencyModel model, const StopSignal* stop) {
  std::array<Operand, operand_count> order = all_operands;
  std::swap(order[0], order[index_of(stays)]);
  Int widest = 1;
  for (const Axis& axis : machine.axes) widest = std::max(widest, axis.size);
  for (Int most = widest; most >= 1 && !is_requested(stop); most /= 2) {
    const auto spatial = fill_axes(layer, machine, most);
    std::optional<Placed> best;
    for_each_order(layer, stays, [&](const DimOrder& dims) {
      if (is_requested(stop)) return;
      // The position of a dimension without loops does not matter, so only one position is tried.
      const auto has_loop = [&](Dim dim) { return !temporal_factors(layer, spatial, dim).empty(); };
      for (std::size_t d = 0; d + 1 < dims.size(); ++d)
        if (layer.is_relevant(dims[d], stays) == layer.is_relevant(dims[d + 1], stays) &&
            !has_loop(dims[d + 1]) && index_of(dims[d]) > index_of(dims[d + 1]))
          return;
      for (std::size_t held = 0; held <= most_held; ++held) {
        const Nest nest = nest_in_order(layer, spatial, dims, stays, held);
        const auto placed = place(layer, machine, nest, order, cycles_of(model));
        if (!placed || !stays_put(placed->mapping, layer, machine, stays)) break;  // larger values fail, too
        if (!best || placed->cost < best->cost) best = placed;
      }
    });
    if (best) return best;
  }
  return std::nullopt;
}

}  // namespace nestor::baselines
