#include "heuristics/cim/baselines/ordered.h"

#include <algorithm>

#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::baselines {
namespace {

struct Use {
  Int lanes = 0;
  SpatialFactors spatial{};
};

// Enumerates assignments of divisors of the bounds to the axes. Among the assignments whose smallest tiles
// fit, stores the `most` with the most lanes. The number of steps is limited.
class SpatialUse {
 public:
  SpatialUse(const LayerShape& layer, const Architecture& machine, std::size_t most)
      : layer_(layer), machine_(machine), left_(layer.bounds), most_(most) {
    now_.spatial = Mapping{}.spatial;
    descend(0, 1, 1);
  }
  const std::vector<Use>& best() const { return best_; }

 private:
  // A slot is a dimension of an axis; the innermost axis comes first.
  void descend(std::size_t slot, Int on_axis, Int lanes) {
    constexpr std::size_t most_steps = 2'000'000;
    if (++steps_ > most_steps) return;
    if (slot == machine_.axes.size() * dim_count) return keep(lanes);
    const std::size_t axis = machine_.axes.size() - 1 - slot / dim_count;
    const std::size_t d = slot % dim_count;
    const bool last = d + 1 == dim_count;
    const Int room = machine_.axes[axis].dims.contains(all_dims[d]) ? machine_.axes[axis].size / on_axis : 1;
    const Int bound = left_[d];
    for (Int factor = std::min(bound, room); factor >= 1; --factor) {
      if (bound % factor != 0) continue;
      now_.spatial[axis][d] = factor;
      left_[d] = bound / factor;
      descend(slot + 1, last ? 1 : on_axis * factor, lanes * factor);
    }
    now_.spatial[axis][d] = 1;
    left_[d] = bound;
  }

  void keep(Int lanes) {
    if (best_.size() == most_ && lanes <= best_.back().lanes) return;
    if (!fits()) return;
    if (best_.size() == most_) best_.pop_back();
    now_.lanes = lanes;
    const auto at =
        std::find_if(best_.begin(), best_.end(), [&](const Use& use) { return use.lanes < lanes; });
    best_.insert(at, now_);
  }

  // True if the tiles fit when every loop is outside all memories except the homes.
  bool fits() const {
    Mapping mapping;
    mapping.spatial = now_.spatial;
    for (const Dim dim : all_dims)
      if (const Int bound = left_[index_of(dim)]; bound > 1) {
        Loop loop{.dim = dim, .factor = bound};
        for (const Operand operand : all_operands)
          loop.at[index_of(operand)] = static_cast<std::uint8_t>(machine_.home(operand));
        mapping.loops.push_back(loop);
      }
    normalise(mapping, layer_, machine_);
    return !find_violation(layer_, machine_, mapping);
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  Extents left_;
  std::size_t most_;
  std::size_t steps_ = 0;
  Use now_;
  std::vector<Use> best_;
};

// Returns the loops of all prime factors that are not on axes. While there are more than `most` loops, merges
// the two smallest loops of the dimension with the most loops, unless every dimension has only one.
std::vector<Loop> merged_loops(const LayerShape& layer, const SpatialFactors& spatial, std::size_t most) {
  std::array<std::vector<Int>, dim_count> factors;
  std::size_t count = 0;
  for (const Dim dim : all_dims) {
    for (const Int factor : temporal_factors(layer, spatial, dim)) factors[index_of(dim)].push_back(factor);
    count += factors[index_of(dim)].size();
  }
  for (; count > most; --count) {
    auto& most_loops = *std::max_element(factors.begin(), factors.end(),
                                         [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (most_loops.size() < 2) break;
    std::sort(most_loops.begin(), most_loops.end());
    most_loops[1] *= most_loops[0];
    most_loops.erase(most_loops.begin());
  }
  std::vector<Loop> loops;
  for (const Dim dim : all_dims) {
    std::sort(factors[index_of(dim)].begin(), factors[index_of(dim)].end());
    for (const Int factor : factors[index_of(dim)]) loops.push_back({.dim = dim, .factor = factor});
  }
  return loops;
}

// Assigns memories to the loops from the inside out. When a memory overflows, the first operand in `order`
// that is in this memory moves outward; if `evenly`, all operands in the memory move. Returns nothing if no
// operand can move.
std::optional<Mapping> allocate(const LayerShape& layer, const Architecture& machine, const Nest& nest,
                                const std::array<Operand, operand_count>& order, bool evenly) {
  Mapping mapping;
  mapping.spatial = nest.spatial;
  mapping.loops = nest.order;
  std::array<std::size_t, operand_count> at{};
  for (const Operand operand : all_operands) {
    at[index_of(operand)] = machine.innermost(operand);
    for (Loop& loop : mapping.loops)
      loop.at[index_of(operand)] = static_cast<std::uint8_t>(machine.home(operand));
  }
  const auto move_on = [&](std::size_t x) {
    do --at[x];
    while (!machine.memories[at[x]].operands.contains(all_operands[x]));
  };
  for (std::size_t i = mapping.loops.size(); i-- > 0;)
    for (;;) {
      for (std::size_t x = 0; x < operand_count; ++x)
        mapping.loops[i].at[x] = static_cast<std::uint8_t>(at[x]);
      Mapping canonical = mapping;
      normalise(canonical, layer, machine);
      const auto violation = find_violation(layer, machine, canonical);
      if (!violation) break;
      bool moved = false;
      for (const Operand operand : order) {
        const std::size_t x = index_of(operand);
        if (at[x] != violation->memory || at[x] == machine.home(operand) || (moved && !evenly)) continue;
        move_on(x);
        moved = true;
      }
      if (!moved) return std::nullopt;
    }
  normalise(mapping, layer, machine);
  if (find_violation(layer, machine, mapping)) return std::nullopt;
  return mapping;
}

}  // namespace

std::optional<Placed> best_order(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                                 const OrderLimits& limits) {
  constexpr std::array<std::array<Operand, operand_count>, 3> orders = {
      {{Operand::I, Operand::O, Operand::W},
       {Operand::W, Operand::I, Operand::O},
       {Operand::O, Operand::W, Operand::I}}};
  std::optional<Placed> best;
  const SpatialUse use(layer, machine, limits.spatial_choices);
  for (const Use& choice : use.best()) {
    auto loops = merged_loops(layer, choice.spatial, limits.loops);
    const auto less = [](const Loop& a, const Loop& b) {
      return std::pair(a.dim, a.factor) < std::pair(b.dim, b.factor);
    };
    do {
      if (is_requested(limits.stop)) return best;
      Nest nest{.spatial = choice.spatial, .order = {}};
      for (const Loop& loop : loops) nest.order.push_back(loop);
      const auto take = [&](const std::optional<Mapping>& mapping) {
        if (!mapping) return;
        Placed placed{*mapping, cost(cim::evaluate(layer, machine, *mapping))};
        buffer_where_it_helps(layer, machine, cost, placed);
        if (!best || placed.cost < best->cost) best = placed;
      };
      for (const auto& order : orders) take(allocate(layer, machine, nest, order, false));
      take(allocate(layer, machine, nest, orders.front(), true));
    } while (std::next_permutation(loops.begin(), loops.end(), less));
  }
  return best;
}

}  // namespace nestor::baselines
