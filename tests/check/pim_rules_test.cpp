// Tests of the checker's rules for PIM machines, one by one, on random small cases: dominance, bounds that
// close a nest, capacities, and spatial choices that represent others. A rule that wrongly excludes a nest or
// a choice fails here, even if the optimum of the case does not depend on it.
#include <gtest/gtest.h>

#include <limits>

#include "continuations.h"
#include "model/pim/legality.h"
#include "pim_check_cases.h"
#include "support/setting.h"

namespace nestor::pim_rules_test {
namespace {

using check_cases::CheckedPimCase;
using check_cases::ContinuationsSeen;
using check_cases::expect_dominance_holds;
using check_cases::Path;
using check_cases::path_of;
using check_cases::pim_objectives;
using check_cases::pim_problem;
using tests::setting;

const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 30));
const std::uint64_t first_seed = setting("NESTOR_PIM_SEED", 1);

check::Claim no_claim(const CheckedPimCase& problem, const std::string& word) {
  return {problem.objective(word), problem.machine};
}

template <typename Visit>
void each_objective(Visit visit) {
  for (const std::string word : pim_objectives) visit(word);
  visit(std::string("pareto"));
}

TEST(PimRules, DominatingNestsHaveAllContinuationsAtNoMoreCost) {
  ContinuationsSeen seen;
  for (std::uint64_t seed = first_seed; seed < first_seed + 4 * cases; ++seed) {
    const auto problem = pim_problem(seed, seed % 2 == 0 ? 48 : 200);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto standing = [&](const check::Spatial& s) {
      return standing_for(s, problem.layer, problem.machine);
    };
    const auto choices = spatial_choices(problem.layer, problem.machine, standing);
    const auto at = random.chance(0.5) ? 0 : random.below(choices.size());
    const auto& spatial = *std::next(choices.begin(), static_cast<std::ptrdiff_t>(at));
    each_objective([&](const std::string& word) {
      SCOPED_TRACE(word);
      if (HasFailure()) return;
      const auto claim = no_claim(problem, word);
      check::pim::Shared shared;
      const check::pim::PimLanes lanes(problem.layer, problem.machine, spatial);
      const check::pim::PimRules rules({problem.layer, problem.machine, claim}, lanes, shared);
      expect_dominance_holds(rules, random, seen, true,
                             [](const Path& path, const auto&, const auto&) { return path; });
    });
    if (HasFailure()) return;
  }
  std::printf("%llu nests, %llu pairs that dominate, %llu ways on\n",
              static_cast<unsigned long long>(seen.nests), static_cast<unsigned long long>(seen.pairs),
              static_cast<unsigned long long>(seen.ways));
  EXPECT_GT(seen.ways, 20 * cases);
}

bool is_legal(const CheckedPimCase& problem, const pim::PimMapping& mapping) {
  return !pim::find_violation(problem.sample.layer, problem.sample.machine, mapping);
}

void set_capacity(CheckedPimCase& problem, std::size_t memory, Int bits) {
  problem.sample.machine.memories[memory].capacity = bits;
  problem.machine.memories[memory].capacity = bits;
}

// Returns the least capacity with which a mapping fits a memory, by the evaluator's rules.
Int least_capacity(CheckedPimCase problem, std::size_t memory, const pim::PimMapping& mapping) {
  Int low = 0;  // too small
  Int high = problem.machine.memories[memory].capacity;
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    set_capacity(problem, memory, middle);
    (is_legal(problem, mapping) ? high : low) = middle;
  }
  return high;
}

// Checks random legal mappings, not only the best ones, on memories that they fill exactly. Under a claim
// that a mapping refutes, no nest on the path to the mapping is closed. If one memory is one bit smaller, the
// mapping is illegal.
TEST(PimRules, NoPathToABetterMappingIsClosed) {
  ContinuationsSeen seen;
  tests::FeatureTally features;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first_seed; compared < 10 * cases; ++seed) {
    auto problem = pim_problem(seed, seed % 2 == 0 ? 48 : 200);
    SCOPED_TRACE("seed " + std::to_string(seed));
    pim::PimMapping mapping;
    problem.machine.layouts.fill(true);  // any layout is allowed, since those of the mapping are random
    if (!tests::random_pim_mapping(problem.sample, seed, mapping)) continue;
    pim::normalise(mapping, problem.sample.layer, problem.sample.machine);
    ++compared;
    tally(problem.sample, mapping, features);
    for (std::size_t m = 1; m < problem.machine.memories.size(); ++m) {
      const Int least = least_capacity(problem, m, mapping);
      if (least > 1) {
        set_capacity(problem, m, least - 1);
        EXPECT_NE(problem.cost(mapping).fault, "") << "memory " << m;
      }
      set_capacity(problem, m, least);
    }
    EXPECT_EQ(problem.cost(mapping).fault, "");
    const auto read =
        check::pim::read_mapping(io::pim::mapping_to_json(mapping, problem.named), problem.machine);
    const auto path = path_of(read);
    const check::pim::PimLanes lanes(problem.layer, problem.machine, read.spatial);
    each_objective([&](const std::string& word) {
      SCOPED_TRACE(word);
      const auto none = no_claim(problem, word);
      check::pim::Shared shared;
      const check::pim::PimRules rules({problem.layer, problem.machine, none}, lanes, shared);
      Random random(seed);
      const auto end =
          check_cases::Continuations<check::pim::PimRules>(rules, random).follow(rules.root(), path);
      ASSERT_TRUE(end.has_value());
      if (end->latency > 0 && end->energy > 0) {
        EXPECT_LE(end->latency, problem.cost(mapping).latency);
      }
      for (const auto& claim : check_cases::claims_above(none, rules.least(*end), problem.machine.unit)) {
        check::pim::Shared made;
        check::pim::PimRules asked({problem.layer, problem.machine, claim}, lanes, made);
        if (random.chance(0.7)) asked.add_bounds();
        expect_path_is_open(asked, path, seen, [](const auto&) { return true; });
      }
    });
    if (HasFailure()) return;
  }
  std::printf("%llu mappings, %llu nests on the way to them\n", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(seen.open));
  for (const auto& [feature, count] : features) {
    std::printf("  %s: %d\n", feature.c_str(), count);
    EXPECT_GT(count, 0) << feature;
  }
  EXPECT_GT(seen.open, 100 * cases);
}

struct Least {
  check::Int latency = std::numeric_limits<check::Int>::max();
  check::Wide energy = std::numeric_limits<check::Int>::max();
  check::Wide product = std::numeric_limits<check::Int>::max();
  bool operator==(const Least&) const = default;
};

// The best mapping with a spatial choice and the best one with its representative have equal cost.
TEST(PimRules, RepresentativesCostTheSameAsTheirChoices) {
  std::uint64_t compared = 0;
  std::uint64_t others = 0;
  for (std::uint64_t seed = first_seed; compared < 2 * cases; ++seed) {
    auto problem = pim_problem(seed, 12, seed % 4 == 1);
    auto& [layer, machine] = problem.sample;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::map<check::Spatial, Least> of;
    const check::Claim both = no_claim(problem, "edp");
    const auto asked = make_problem(layer, machine, {}, check_cases::layouts_of(problem));
    pim::RowCounter rows;
    const bool is_listed = tests::each_pim_mapping(problem.sample, 30000, [&](pim::PimMapping mapping) {
      choose_layouts(asked, mapping, rows);
      const auto cost = problem.cost(mapping);
      const auto json = io::pim::mapping_to_json(mapping, problem.named);
      Least& least = of[check::read_spatial(json, problem.machine)];
      least.latency = std::min(least.latency, cost.latency);
      least.energy = std::min(least.energy, both.with_leakage(cost));
      least.product = std::min(least.product, both.cost(cost));
    });
    if (!is_listed) continue;
    ++compared;
    const auto standing = [&](const check::Spatial& s) {
      return standing_for(s, problem.layer, problem.machine);
    };
    const auto choices = spatial_choices(problem.layer, problem.machine, standing);
    std::map<check::Spatial, Least> of_standing;
    for (const auto& [spatial, least] : of) {
      const auto stands = standing(spatial);
      EXPECT_TRUE(choices.contains(stands)) << words(spatial, problem.machine);
      const auto [first, is_first] = of_standing.try_emplace(stands, least);
      others += static_cast<std::uint64_t>(!is_first);
      EXPECT_TRUE(first->second == least) << words(spatial, problem.machine);
    }
    if (HasFailure()) return;
  }
  std::printf("%llu cases, %llu choices that another stands for\n", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(others));
  EXPECT_GT(others, cases / 2);
}

}  // namespace
}  // namespace nestor::pim_rules_test
