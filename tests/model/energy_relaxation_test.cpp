// The bound from linear programs is never above the truth: against every mapping of tiny cases, per spatial
// choice, and against random mappings of larger ones. A rounding planted on the wrong side is noticed.
#include "model/cim_lp/energy_relaxation.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "model/cim/evaluate.h"
#include "support/brute_force.h"
#include "support/random_cases.h"

namespace nestor::cim {
namespace {

using nestor::testing::RandomCase;
using Spatial = std::array<Extents, max_axes>;

std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

// Sums of energies in different orders differ by a few units in the last place.
constexpr double summation_slack = 1e-12;

// The least energy per spatial choice, by looking at every mapping; empty if there are too many.
std::map<Spatial, double> least_energies(const RandomCase& sample) {
  std::map<Spatial, double> least;
  const auto& machine = sample.architecture.machine;
  const bool all =
      nestor::testing::for_each_mapping(sample.layer, machine, 30000, [&](const Mapping& mapping) {
        const double energy = evaluate(sample.layer, machine, mapping).energy_pj;
        const auto [place, is_new] = least.emplace(mapping.spatial, energy);
        if (!is_new) place->second = std::min(place->second, energy);
      });
  if (!all) least.clear();
  return least;
}

struct Tally {
  int choices = 0;
  int above = 0;     // the bound exceeds the least energy: must not happen
  int closed = 0;    // within a thousandth of it
  double share = 0;  // sum of bound / least energy
};

Tally compare_with_brute_force(std::uint64_t first, int choices, const EnergyRelaxationOptions& options) {
  Tally tally;
  for (std::uint64_t seed = first; tally.choices < choices; ++seed) {
    const RandomCase sample =
        nestor::testing::random_case(seed, {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0});
    for (const auto& [spatial, energy] : least_energies(sample)) {
      if (energy == 0) continue;
      const double bound = bound_energy(sample.layer, sample.architecture.machine, spatial, options).pj;
      ++tally.choices;
      if (bound > energy * (1 + summation_slack)) {
        ++tally.above;
        if (options.log_margin > 0)
          ADD_FAILURE() << sample.describe() << "bound " << bound << ", least " << energy;
      }
      tally.closed += bound >= 0.999 * energy ? 1 : 0;
      tally.share += bound / energy;
      if (tally.choices == choices) break;
    }
  }
  return tally;
}

TEST(EnergyRelaxation, NeverExceedsBruteForceOnAnySpatialChoice) {
  const auto choices = static_cast<int>(setting("NESTOR_RELAXATION_CHOICES", 60));
  const Tally tally = compare_with_brute_force(setting("NESTOR_RELAXATION_SEED", 1), choices, {});
  EXPECT_EQ(tally.above, 0);
  std::printf("%d spatial choices: bound / least energy %.3f on average, %.1f %% closed\n", tally.choices,
              tally.share / tally.choices, 100.0 * tally.closed / tally.choices);
}

TEST(EnergyRelaxation, NeverExceedsRandomMappingsOfLargerLayers) {
  for (std::uint64_t seed = 1; seed <= setting("NESTOR_RELAXATION_CHOICES", 60); ++seed) {
    const RandomCase sample = nestor::testing::random_case(seed + 70000);
    const auto& machine = sample.architecture.machine;
    const double energy = evaluate(sample.layer, machine, sample.mapping).energy_pj;
    const EnergyBound bound = bound_energy(sample.layer, machine, sample.mapping.spatial, {.node_limit = 60});
    EXPECT_LE(bound.pj, energy * (1 + summation_slack)) << sample.describe();
    EXPECT_LE(bound.root_pj, bound.pj * (1 + summation_slack));
  }
}

TEST(EnergyRelaxation, ARoundingPlantedOnTheWrongSideIsCaught) {
  EXPECT_GT(compare_with_brute_force(1, 40, {.log_margin = -1e-2}).above, 0);
}

}  // namespace
}  // namespace nestor::cim
