#include "heuristics/cim/baselines/nest.h"

#include "base/primes.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "model/loopnest/spatial_factors.h"

namespace nestor::baselines {
namespace {

bool is_legal(const LayerShape& layer, const Architecture& machine, const Mapping& mapping) {
  return !find_violation(layer, machine, mapping);
}

/// Assigns one of the operand's memories to each loop, from the inside out. A loop moves to a memory further
/// out only if the tile does not fit. Returns false if the mapping is illegal even with a loop in the home.
bool place_operand(const LayerShape& layer, const Architecture& machine, Operand operand, Mapping& mapping) {
  const std::size_t x = index_of(operand);
  std::size_t m = machine.innermost(operand);
  for (std::size_t i = mapping.loops.size(); i-- > 0;) {
    for (;; --m) {
      if (!machine.memories[m].operands.contains(operand)) continue;
      mapping.loops[i].at[x] = static_cast<std::uint8_t>(m);
      Mapping canonical = mapping;
      normalise(canonical, layer, machine);
      if (is_legal(layer, machine, canonical)) break;
      if (m == machine.home(operand)) return false;
    }
  }
  return true;
}

/// Enumerates the factors that fit on one axis, dimension by dimension, and stores those with the largest
/// product.
class AxisFill {
 public:
  AxisFill(const Extents& left, DimSet dims, Int size) : left_(left), dims_(dims), size_(size) {
    descend(0, 1);
  }
  const Extents& best() const { return best_; }

 private:
  void descend(std::size_t d, Int product) {
    if (best_product_ == size_) return;
    if (d == dim_count) {
      if (product > best_product_) {
        best_product_ = product;
        best_ = chosen_;
      }
      return;
    }
    const Int limit = dims_.contains(all_dims[d]) ? std::min(left_[d], size_ / product) : 1;
    for (Int factor = limit; factor >= 1; --factor) {
      if (left_[d] % factor != 0) continue;
      chosen_[d] = factor;
      descend(d + 1, product * factor);
    }
    chosen_[d] = 1;
  }

  const Extents& left_;
  DimSet dims_;
  Int size_;
  Extents chosen_ = unit_extents;
  Extents best_ = unit_extents;
  Int best_product_ = 0;
};

}  // namespace

void buffer_where_it_helps(const LayerShape& layer, const Architecture& machine, const CostOf& cost_of,
                           Placed& placed) {
  for (std::size_t m = machine.memories.size(); m-- > 0;)
    for (const Operand operand : all_operands) {
      Mapping doubled = placed.mapping;
      doubled.double_buffered[m].insert(operand);
      if (!is_legal(layer, machine, doubled)) continue;
      const double cost = cost_of(cim::evaluate(layer, machine, doubled));
      if (cost < placed.cost) placed = {doubled, cost};
    }
}

std::optional<Placed> place(const LayerShape& layer, const Architecture& machine, const Nest& nest,
                            const std::array<Operand, operand_count>& order, const CostOf& cost) {
  Mapping mapping;
  mapping.spatial = nest.spatial;
  mapping.loops = nest.order;
  for (Loop& loop : mapping.loops)
    for (const Operand operand : all_operands)
      loop.at[index_of(operand)] = static_cast<std::uint8_t>(machine.home(operand));
  for (const Operand operand : order)
    if (!place_operand(layer, machine, operand, mapping)) return std::nullopt;
  normalise(mapping, layer, machine);
  if (!is_legal(layer, machine, mapping)) return std::nullopt;
  Placed placed{mapping, cost(cim::evaluate(layer, machine, mapping))};
  buffer_where_it_helps(layer, machine, cost, placed);
  return placed;
}

SpatialFactors fill_axes(const LayerShape& layer, const Architecture& machine, Int most) {
  SpatialFactors spatial = Mapping{}.spatial;
  Extents left = layer.bounds;
  for (std::size_t a = machine.axes.size(); a-- > 0;) {
    spatial[a] = AxisFill(left, machine.axes[a].dims, std::min(machine.axes[a].size, most)).best();
    for (std::size_t d = 0; d < dim_count; ++d) left[d] /= spatial[a][d];
  }
  return spatial;
}

FixedVector<Int, max_loops> temporal_factors(const LayerShape& layer, const SpatialFactors& spatial,
                                             Dim dim) {
  const Int left = temporal_bounds(layer.bounds, spatial)[index_of(dim)];
  FixedVector<Int, max_loops> factors;
  for_each_prime_factor(left, [&](Int prime) { factors.push_back(prime); });
  return factors;
}

}  // namespace nestor::baselines
