#include "heuristics/cim/baselines/sampled.h"

#include <algorithm>

#include "model/loopnest/factor_set.h"

namespace nestor::baselines {
namespace {

class Sampler {
 public:
  Sampler(const LayerShape& layer, const Architecture& machine, std::uint64_t seed)
      : layer_(layer), machine_(machine), random_(seed) {}

  /// Draws a random loop nest: every prime factor is placed either on a random axis that accepts it or among
  /// the loops, whose order is random.
  Nest draw() {
    Nest nest{.spatial = Mapping{}.spatial, .order = {}};
    const double share = random_.unit();
    for (const Dim dim : all_dims)
      for (const Int factor : temporal_factors(layer_, nest.spatial, dim))
        if (!random_.chance(share) || !to_axis(nest, dim, factor))
          nest.order.push_back({.dim = dim, .factor = factor});
    for (std::size_t i = 0; i < nest.order.size(); ++i)
      std::swap(nest.order[i], nest.order[i + random_.below(nest.order.size() - i)]);
    return nest;
  }

  Nest change(Nest nest) {
    const std::size_t loops = nest.order.size();
    // Compilers evaluate arguments in different orders, so the draws are separate statements.
    switch (random_.below(4)) {
      case 0:
        if (loops > 1) {
          const std::size_t a = random_.below(loops);
          std::swap(nest.order[a], nest.order[random_.below(loops)]);
        }
        break;
      case 1:
        if (loops > 1) {
          const std::size_t to = random_.below(loops);
          move_loop(nest, random_.below(loops), to);
        }
        break;
      case 2:
        if (loops > 0) {
          const std::size_t i = random_.below(loops);
          const Loop loop = nest.order[i];
          if (to_axis(nest, loop.dim, loop.factor)) nest.order.erase_at(i);
        }
        break;
      default:
        from_axis(nest);
        break;
    }
    return nest;
  }

  std::array<Operand, operand_count> operand_order() {
    auto order = all_operands;
    for (std::size_t i = 0; i < order.size(); ++i)
      std::swap(order[i], order[i + random_.below(order.size() - i)]);
    return order;
  }

 private:
  bool to_axis(Nest& nest, Dim dim, Int factor) {
    if (machine_.axes.empty()) return false;
    const std::size_t a = random_.below(machine_.axes.size());
    const Int lanes = factor * product_of(nest.spatial[a]);
    if (!machine_.axes[a].dims.contains(dim) || lanes > machine_.axes[a].size) return false;
    nest.spatial[a][index_of(dim)] *= factor;
    return true;
  }

  /// Converts the smallest prime of a random axis factor back into a loop.
  void from_axis(Nest& nest) {
    if (machine_.axes.empty() || nest.order.full()) return;
    // A layer without groups is sampled as if that dimension did not exist.
    const Dim dim = all_dims[random_.below(layer_.bound(Dim::G) > 1 ? dim_count : group_dim_count)];
    Int& factor = nest.spatial[random_.below(machine_.axes.size())][index_of(dim)];
    if (factor == 1) return;
    const Int prime = prime_factors(factor).factors[0].value;
    factor /= prime;
    nest.order.push_back({.dim = dim, .factor = prime});
    move_loop(nest, nest.order.size() - 1, random_.below(nest.order.size()));
  }

  static void move_loop(Nest& nest, std::size_t from, std::size_t to) {
    for (; from < to; ++from) std::swap(nest.order[from], nest.order[from + 1]);
    for (; from > to; --from) std::swap(nest.order[from], nest.order[from - 1]);
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  Random random_;
};

}  // namespace

std::optional<Placed> sampled(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                              const SampleBudget& budget) {
  Sampler sampler(layer, machine, budget.seed);
  std::optional<Placed> best;
  std::optional<Placed> here;
  Nest nest;
  int failures = budget.patience;  // start with a random loop nest
  for (int evaluation = 0; evaluation < budget.evaluations && !is_requested(budget.stop); ++evaluation) {
    const bool restart = failures >= budget.patience || !here;
    const Nest candidate = restart ? sampler.draw() : sampler.change(nest);
    const auto placed = place(layer, machine, candidate, sampler.operand_order(), cost);
    if (restart) {
      here = placed;
      nest = candidate;
      failures = 0;
    } else if (placed && placed->cost <= here->cost) {
      failures = placed->cost < here->cost ? 0 : failures + 1;
      here = placed;
      nest = candidate;
    } else {
      ++failures;
    }
    if (here && (!best || here->cost < best->cost)) best = here;
  }
  return best;
}

}  // namespace nestor::baselines
