// Tests of the bound from linear programs, which never exceeds the optimum. It is compared with every mapping
// of tiny cases, per spatial choice and per partial placement, and with random mappings of larger cases.
// Other tests detect a planted fault that rounds in the wrong direction.
#include "model/cim/linear/relaxation.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <map>
#include <vector>

#include "model/cim/evaluate.h"
#include "support/brute_force.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::cim::relaxation_test {
namespace {

using nestor::tests::RandomCase;
using nestor::tests::setting;

// Sums of energies in different orders differ by a few units in the last place.
constexpr double summation_slack = 1e-12;

double cost_of(RelaxedCost cost, const CimEvaluation& evaluation) {
  return cost == RelaxedCost::energy ? evaluation.energy_pj
                                     : static_cast<double>(evaluation.cycles(LatencyModel::stall));
}

// Returns the least cost per spatial choice over every mapping; empty if there are too many.
std::map<SpatialFactors, double> least_costs(RelaxedCost cost, const RandomCase& sample) {
  std::map<SpatialFactors, double> least;
  const auto& machine = sample.architecture.machine;
  const bool all = nestor::tests::for_each_mapping(sample.layer, machine, 30000, [&](const Mapping& mapping) {
    const double costs = cost_of(cost, evaluate(sample.layer, machine, mapping));
    const auto [place, is_new] = least.emplace(mapping.spatial, costs);
    if (!is_new) place->second = std::min(place->second, costs);
  });
  if (!all) least.clear();
  return least;
}

struct Tally {
  int choices = 0;
  int above = 0;     // choices whose bound exceeds the least cost
  int closed = 0;    // choices whose bound is within a thousandth of the least cost
  double share = 0;  // sum of bound / least cost
};

Tally compare_with_brute_force(RelaxedCost cost, std::uint64_t first, int choices,
                               const RelaxationOptions& options) {
  Tally tally;
  for (std::uint64_t seed = first; tally.choices < choices; ++seed) {
    const RandomCase sample = nestor::tests::random_case(
        seed, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .groups = seed % 4 == 1});
    for (const auto& [spatial, least] : least_costs(cost, sample)) {
      if (least == 0) continue;
      const double bound =
          relaxed_bound(cost, sample.layer, sample.architecture.machine, spatial, options).cost;
      ++tally.choices;
      if (bound > least * (1 + summation_slack)) {
        ++tally.above;
        if (options.log_margin > 0)
          ADD_FAILURE() << sample.describe() << "bound " << bound << ", least " << least;
      }
      tally.closed += bound >= 0.999 * least ? 1 : 0;
      tally.share += bound / least;
      if (tally.choices == choices) break;
    }
  }
  return tally;
}

class Relaxation : public ::testing::TestWithParam<RelaxedCost> {};

TEST_P(Relaxation, NeverExceedsBruteForceOnAnySpatialChoice) {
  const auto choices = static_cast<int>(setting("NESTOR_RELAXATION_CHOICES", 60));
  const Tally tally = compare_with_brute_force(GetParam(), setting("NESTOR_RELAXATION_SEED", 1), choices, {});
  EXPECT_EQ(tally.above, 0);
  std::printf("%d spatial choices: bound / least cost %.3f on average, %.1f %% closed\n", tally.choices,
              tally.share / tally.choices, 100.0 * tally.closed / tally.choices);
}

// A partial placement: some outermost loops of a mapping, some innermost loops, or both, each with its
// memories.
struct Placement {
  const Mapping& of;
  std::size_t outer = 0;  // number of outer loops
  std::size_t inner = 0;

  bool completes_to(const Mapping& other) const {
    if (other.spatial != of.spatial || other.loops.size() < outer + inner) return false;
    for (std::size_t k = 0; k < outer; ++k)
      if (!(other.loops[k] == of.loops[k])) return false;
    for (std::size_t k = 1; k <= inner; ++k)
      if (!(other.loops[other.loops.size() - k] == of.loops[of.loops.size() - k])) return false;
    return true;
  }
};

void multiply(Extents& extents, const Loop& loop) { extents[index_of(loop.dim)] *= loop.factor; }

// Computes the limits on tile contents. Loops assigned to a memory form the operand's block there; the loops
// inside the block form its content.
ContentLimits limits_of(const Placement& placement, const Architecture& machine, const Extents& temporal) {
  const auto& loops = placement.of.loops;
  const std::size_t inner_begin = loops.size() - placement.inner;
  ContentLimits limits;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    for (std::size_t m = machine.home(operand) + 1; m <= machine.innermost(operand); ++m) {
      if (!machine.memories[m].operands.contains(operand)) continue;
      ContentLimits::Content& content = limits.content[m][x];
      bool has_block = m == machine.innermost(operand);
      Extents outside = unit_extents;  // fixed loops known to be outside the content
      Extents inside = unit_extents;
      for (std::size_t k = 0; k < loops.size(); ++k) {
        if (k >= placement.outer && k < inner_begin) continue;
        has_block |= loops[k].at[x] == m;
        if (k < placement.outer && loops[k].at[x] < m) multiply(outside, loops[k]);
        if (k >= inner_begin && loops[k].at[x] >= m) multiply(inside, loops[k]);
      }
      // The loops between the outer and the inner loops are undecided.
      const bool decided_outside = placement.outer > 0 && loops[placement.outer - 1].at[x] >= m;
      const bool decided_inside = placement.inner > 0 && loops[inner_begin].at[x] < m;
      for (std::size_t d = 0; d < dim_count; ++d) {
        content.most[d] = decided_inside ? inside[d] : temporal[d] / outside[d];
        content.least[d] = decided_outside ? temporal[d] / outside[d] : inside[d];
      }
      if (has_block)
        content.use = ContentLimits::Use::yes;
      else if (decided_inside || (decided_outside && loops[placement.outer - 1].at[x] > m))
        content.use = ContentLimits::Use::no;
    }
  }
  return limits;
}

struct Placements {
  int count = 0;
  int above = 0;
  int raised = 0;  // placements whose bound exceeds that of the spatial choice
  double share = 0;
};

Placements compare_placements(RelaxedCost cost, std::uint64_t first, int wanted, double log_margin) {
  Placements tally;
  for (std::uint64_t seed = first; tally.count < wanted; ++seed) {
    const RandomCase sample =
        nestor::tests::random_case(seed, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0});
    const auto& machine = sample.architecture.machine;
    std::vector<std::pair<Mapping, double>> all;
    const bool few =
        nestor::tests::for_each_mapping(sample.layer, machine, 30000, [&](const Mapping& mapping) {
          all.emplace_back(mapping, cost_of(cost, evaluate(sample.layer, machine, mapping)));
        });
    if (!few || all.empty()) continue;
    Random random(seed);
    for (int k = 0; k < 4 && tally.count < wanted; ++k) {
      const Mapping& mapping = all[random.below(all.size())].first;
      const std::size_t loops = mapping.loops.size();
      Placement placement{mapping};
      placement.outer = random.below(loops + 1);
      placement.inner = random.below(loops - placement.outer + 1);
      if (placement.outer + placement.inner == 0) continue;
      Extents temporal = unit_extents;
      for (const Loop& loop : mapping.loops) multiply(temporal, loop);
      double least = std::numeric_limits<double>::infinity();
      for (const auto& [other, costs] : all)
        if (placement.completes_to(other)) least = std::min(least, costs);
      if (least == 0) continue;
      const RelaxationOptions options{.log_margin = log_margin};
      const auto limits = limits_of(placement, machine, temporal);
      const double bound = relaxed_bound(cost, sample.layer, machine, mapping.spatial, options, limits).cost;
      const double free = relaxed_bound(cost, sample.layer, machine, mapping.spatial, options).cost;
      ++tally.count;
      tally.raised += bound > free * (1 + 1e-9) ? 1 : 0;
      tally.share += bound / least;
      if (bound <= least * (1 + summation_slack)) continue;
      ++tally.above;
      if (log_margin > 0)
        ADD_FAILURE() << sample.describe() << placement.outer << " outer and " << placement.inner
                      << " inner loops: bound " << bound << ", least " << least;
    }
  }
  return tally;
}

TEST_P(Relaxation, NeverExceedsBruteForceOnAnyPartialPlacement) {
  const auto wanted = static_cast<int>(setting("NESTOR_RELAXATION_CHOICES", 60));
  const auto tally = compare_placements(GetParam(), setting("NESTOR_RELAXATION_SEED", 1), wanted, 1e-12);
  EXPECT_EQ(tally.above, 0);
  // Otherwise the fixed loops would have no effect on the bound.
  EXPECT_GT(tally.raised, GetParam() == RelaxedCost::energy ? wanted / 4 : 0);
  std::printf("%d partial placements: bound / least cost %.3f on average, %d above their choice's bound\n",
              tally.count, tally.share / tally.count, tally.raised);
}

TEST_P(Relaxation, ARoundingPlantedOnTheWrongSideOfAPlacementIsCaught) {
  EXPECT_GT(compare_placements(GetParam(), 1, 40, -1e-2).above, 0);
}

TEST_P(Relaxation, NeverExceedsRandomMappingsOfLargerLayers) {
  for (std::uint64_t seed = 1; seed <= setting("NESTOR_RELAXATION_CHOICES", 60); ++seed) {
    const RandomCase sample = nestor::tests::random_case(seed + 70000);
    const auto& machine = sample.architecture.machine;
    const double cost = cost_of(GetParam(), evaluate(sample.layer, machine, sample.mapping));
    const RelaxedBound bound =
        relaxed_bound(GetParam(), sample.layer, machine, sample.mapping.spatial, {.node_limit = 60});
    EXPECT_LE(bound.cost, cost * (1 + summation_slack)) << sample.describe();
    EXPECT_LE(bound.root_cost, bound.cost * (1 + summation_slack));
  }
}

TEST_P(Relaxation, ARoundingPlantedOnTheWrongSideIsCaught) {
  EXPECT_GT(compare_with_brute_force(GetParam(), 1, 40, {.log_margin = -1e-2}).above, 0);
}

INSTANTIATE_TEST_SUITE_P(Costs, Relaxation, ::testing::Values(RelaxedCost::energy, RelaxedCost::stall_cycles),
                         [](const auto& name) {
                           return name.param == RelaxedCost::energy ? "Energy" : "StallCycles";
                         });

}  // namespace
}  // namespace nestor::cim::relaxation_test
