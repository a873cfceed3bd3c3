// Tests of the checker's rules for cim machines, one by one, on random small cases: dominance, bounds that
// close a nest, capacities, and spatial choices that represent others. A rule that wrongly excludes a nest or
// a choice fails here, even if the optimum of the case does not depend on it.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "continuations.h"
#include "model/loopnest/rules/legality.h"
#include "support/brute_force.h"
#include "support/setting.h"

namespace nestor::cim_rules_test {
namespace {

using check_cases::Asked;
using check_cases::CheckedCimCase;
using check_cases::ContinuationsSeen;
using check_cases::expect_dominance_holds;
using check_cases::objective_of;
using check_cases::Path;
using tests::RandomCase;
using tests::setting;

const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 30);
const std::uint64_t first_seed = setting("NESTOR_EXACTNESS_SEED", 1);

RandomCase random_case(std::uint64_t seed, Int most_steps) {
  return tests::random_case(seed + 40'000'000, {.max_steps = most_steps,
                                                .max_loops = 4,
                                                .graded = seed % 4 != 0,
                                                .mirrored = seed % 5 == 4,
                                                .groups = seed % 4 == 1});
}

template <typename Visit>
void each_objective(Visit visit) {
  for (const bool miredo : {false, true}) {
    for (const auto& asked : check_cases::objectives(miredo)) visit(asked);
    visit(Asked{"pareto", miredo});
  }
}

// Converts `path`, a continuation of nest `b`, to a continuation of nest `a`: mirrored if the nests are
// mirror images of each other.
Path carried(const Path& path, const check::Node& a, const check::Node& b) {
  if (a.placed == b.placed) return path;
  Path mirrored = path;
  for (auto& loop : mirrored) {
    constexpr std::array<std::uint8_t, check::dim_count> other = {check::N, check::K, check::C, check::Q,
                                                                  check::P, check::S, check::R, check::G};
    loop.dim = other[loop.dim];
  }
  return mirrored;
}

TEST(CimRules, DominatingNestsHaveAllContinuationsAtNoMoreCost) {
  ContinuationsSeen seen;
  for (std::uint64_t seed = first_seed; seed < first_seed + 4 * cases; ++seed) {
    const auto sample = random_case(seed, 96);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    Random random(seed);
    const auto standing = [&](const check::Spatial& s) {
      return standing_for(s, problem.layer, problem.machine);
    };
    std::set<check::Spatial> choices;
    try {
      choices = spatial_choices(problem.layer, problem.machine, standing);
    } catch (const check::Unreadable&) {
      continue;  // sometimes there are too many choices
    }
    const auto at = random.chance(0.5) ? 0 : random.below(choices.size());
    const auto& spatial = *std::next(choices.begin(), static_cast<std::ptrdiff_t>(at));
    each_objective([&](const Asked& asked) {
      SCOPED_TRACE(to_string(asked));
      if (HasFailure()) return;
      const check::Claim claim(objective_of(asked, problem.machine), problem.machine);
      check::BoundsCache cache;
      const check::CimLanes lanes(problem.layer, problem.machine, spatial);
      const check::Rules rules({problem.layer, problem.machine, claim}, lanes, cache);
      expect_dominance_holds(rules, random, seen, false, carried);
    });
    if (HasFailure()) return;
  }
  std::printf("%llu nests, %llu pairs that dominate, %llu ways on\n",
              static_cast<unsigned long long>(seen.nests), static_cast<unsigned long long>(seen.pairs),
              static_cast<unsigned long long>(seen.ways));
  EXPECT_GT(seen.ways, 20 * cases);
}

// True if the factor of a loop is prime. The rules must offer such a loop unchanged. Instead of a loop that
// combines several primes, they may offer separate loops.
bool is_prime(const check::LoggedNest& loop) { return check::divisors_of(loop.factor).size() == 2; }

// Returns the least capacity with which a mapping fits a memory, by the evaluator's rules.
Int least_capacity(RandomCase sample, std::size_t memory, const Mapping& mapping) {
  auto& machine = sample.architecture.machine;
  Int low = 0;  // too small
  Int high = machine.memories[memory].capacity;
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    machine.memories[memory].capacity = middle;
    (find_violation(sample.layer, machine, mapping) ? low : high) = middle;
  }
  return high;
}

// Checks random legal mappings, not only the best ones, on memories that they fill exactly. Under a claim
// that a mapping refutes, no nest on the path to the mapping is closed. If one memory is one bit smaller, the
// mapping is illegal.
TEST(CimRules, NoPathToABetterMappingIsClosed) {
  ContinuationsSeen seen;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 8 * cases; ++seed) {
    auto sample = random_case(seed, 400);
    SCOPED_TRACE(sample.describe());
    auto& memories = sample.architecture.machine.memories;
    for (std::size_t m = 1; m < memories.size(); ++m) {
      const Int least = least_capacity(sample, m, sample.mapping);
      memories[m].capacity = least - 1;
      if (least > 1) {
        EXPECT_NE(exact_cost(sample, CheckedCimCase(sample), {"edp"}, sample.mapping).fault, "")
            << "memory " << m;
      }
      memories[m].capacity = least;
    }
    const CheckedCimCase problem(sample);
    EXPECT_EQ(exact_cost(sample, problem, {"edp"}, sample.mapping).fault, "");
    const auto read =
        check::read_mapping(io::mapping_to_json(sample.mapping, sample.architecture), problem.machine);
    const check::CimLanes lanes(problem.layer, problem.machine, read.spatial);
    each_objective([&](const Asked& asked) {
      SCOPED_TRACE(to_string(asked));
      const check::Claim none(objective_of(asked, problem.machine), problem.machine);
      Path path = read.nests;
      if (!none.objective().follows_latency)
        for (auto& loop : path)
          for (auto& move : loop.moves) move.doubled = false;
      check::BoundsCache cache;
      const check::Rules rules({problem.layer, problem.machine, none}, lanes, cache);
      Random random(seed);
      const auto end = check_cases::Continuations<check::Rules>(rules, random).follow(rules.root(), path);
      ASSERT_TRUE(end.has_value());
      try {
        for (const auto& claim : check_cases::claims_above(none, rules.least(*end), problem.machine.unit)) {
          check::BoundsCache made;
          const check::Rules asked_of({problem.layer, problem.machine, claim}, lanes, made);
          expect_path_is_open(asked_of, path, seen, is_prime);
        }
      } catch (const check::TooLarge&) {  // the claim has too many digits
        ++refused;
      }
    });
    if (HasFailure()) return;
  }
  std::printf("%llu nests on the way to mappings\n", static_cast<unsigned long long>(seen.open));
  EXPECT_GT(seen.open, 100 * cases);
  EXPECT_LE(refused, cases);
}

// Visits random nests below the spatial choices of random mappings, each with the loops that the rules offer
// next.
template <typename Visit>
void each_nest(std::size_t most, Visit visit) {
  for (std::uint64_t seed = first_seed; seed < first_seed + 4 * cases; ++seed) {
    const auto sample = random_case(seed, 400);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    const auto read =
        check::read_mapping(io::mapping_to_json(sample.mapping, sample.architecture), problem.machine);
    const check::CimLanes lanes(problem.layer, problem.machine, read.spatial);
    for (const bool miredo : {false, true}) {
      const Asked asked{"edp", miredo};
      const check::Claim none(objective_of(asked, problem.machine), problem.machine);
      check::BoundsCache cache;
      const check::Rules rules({problem.layer, problem.machine, none}, lanes, cache);
      Random random(seed);
      for (const auto& nest : check_cases::Continuations<check::Rules>(rules, random).some_nests(most)) {
        std::vector<check::LoggedNest> offered;
        rules.each_child(nest.whole,
                         [&](const check::Node&, const check::LoggedNest& loop) { offered.push_back(loop); });
        visit(rules, nest.whole, offered);
      }
    }
    if (::testing::Test::HasFailure()) return;
  }
}

bool is_no_worse(const check::Node& a, const check::Node& b) {
  bool holds = a.m <= b.m && a.steady <= b.steady && a.energy <= b.energy && a.departed == b.departed;
  for (const auto x : {check::I, check::W, check::O}) holds = holds && a.p[x] <= b.p[x];
  return holds && a.first[0] <= b.first[0] && a.first[1] <= b.first[1];
}

// A loop with a larger factor that the rules do not offer is no better than two loops of its dimension: an
// offered loop with the same moves and, around it, a loop without moves.
TEST(CimRules, LargerFactorsAreNoBetterThanTwoLoops) {
  std::uint64_t longer = 0;
  each_nest(8, [&](const check::Rules& rules, const check::Node& node, const auto& offered) {
    for (const auto& loop : offered)
      for (const auto& way : rules.lanes.ways[loop.dim][node.placed[loop.dim]]) {
        check::LoggedNest whole = loop;
        whole.factor = way.factor;
        const auto is_same = [&](const auto& other) { return check_cases::is_same_loop(other, whole); };
        if (!is_prime(loop) || std::any_of(offered.begin(), offered.end(), is_same)) continue;
        const auto end = rules.after(node, whole);
        ASSERT_TRUE(end.has_value());
        bool found = false;
        for (const auto& inner : offered) {
          if (inner.dim != loop.dim || inner.moves != loop.moves || whole.factor % inner.factor != 0)
            continue;
          const auto between = rules.after(node, inner);
          const auto two = rules.after(*between, {0, loop.dim, whole.factor / inner.factor, {}});
          found = found || (two && is_no_worse(*two, *end));
        }
        EXPECT_TRUE(found) << check::dim_letters[loop.dim] << ' ' << whole.factor;
        ++longer;
      }
  });
  EXPECT_GT(longer, 100 * cases);
}

TEST(CimRules, OperandsMoveOnlyAtRelevantLoops) {
  std::uint64_t refused = 0;
  each_nest(8, [&](const check::Rules& rules, const check::Node& node, const auto& offered) {
    for (const auto& loop : offered)
      for (const auto x : {check::I, check::W, check::O}) {
        if (check::is_relevant(loop.dim, x) || node.at[x] == 0) continue;
        check::LoggedNest unseen = loop;
        unseen.moves[x] = {true, false, 0};
        EXPECT_FALSE(rules.after(node, unseen).has_value()) << check::dim_letters[loop.dim];
        ++refused;
      }
  });
  EXPECT_GT(refused, 10 * cases);
}

struct Least {
  check::Int latency = std::numeric_limits<check::Int>::max();
  check::Wide energy = std::numeric_limits<check::Int>::max();
  check::Wide product = std::numeric_limits<check::Int>::max();
  bool operator==(const Least&) const = default;
};

// The best mapping with a spatial choice and the best one with its representative have equal cost.
TEST(CimRules, RepresentativesCostTheSameAsTheirChoices) {
  std::uint64_t others = 0;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first_seed; compared < cases; ++seed) {
    auto sample = tests::random_case(seed + 50'000'000, {.max_steps = 24, .max_loops = 3, .mirrored = true});
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    const auto standing = [&](const check::Spatial& s) {
      return standing_for(s, problem.layer, problem.machine);
    };
    const check::Claim both(objective_of({"edp"}, problem.machine), problem.machine);
    std::map<check::Spatial, Least> of;
    const bool is_listed = tests::for_each_mapping(
        sample.layer, sample.architecture.machine, 20000, [&](const Mapping& mapping) {
          const auto cost = exact_cost(sample, problem, {"edp"}, mapping);
          const auto json = io::mapping_to_json(mapping, sample.architecture);
          Least& least = of[check::read_spatial(json, problem.machine)];
          least.latency = std::min(least.latency, cost.latency);
          least.energy = std::min(least.energy, both.with_leakage(cost));
          least.product = std::min(least.product, both.cost(cost));
        });
    if (!is_listed) continue;
    ++compared;
    const auto choices = spatial_choices(problem.layer, problem.machine, standing);
    for (const auto& [spatial, least] : of) {
      const auto stands = standing(spatial);
      EXPECT_TRUE(choices.contains(stands)) << words(spatial, problem.machine);
      if (stands == spatial) continue;
      ++others;
      EXPECT_TRUE(of.contains(stands) && of[stands] == least) << words(spatial, problem.machine);
    }
    if (HasFailure()) return;
  }
  std::printf("%llu cases, %llu choices that another stands for\n", static_cast<unsigned long long>(compared),
              static_cast<unsigned long long>(others));
  EXPECT_GT(others, cases / 4);
}

// If an axis accepts only one of two dimensions that mirroring exchanges, every spatial choice represents
// only itself.
TEST(CimRules, ChoicesRepresentOnlyThemselvesOnAsymmetricAxes) {
  std::uint64_t others = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 40; ++seed) {
    const CheckedCimCase whole(
        tests::random_case(seed + 50'000'000, {.max_steps = 24, .max_loops = 3, .mirrored = true}));
    const auto choices =
        spatial_choices(whole.layer, whole.machine, [](const check::Spatial& same) { return same; });
    for (const auto& choice : choices)
      others += static_cast<std::uint64_t>(standing_for(choice, whole.layer, whole.machine) != choice);
    for (std::size_t a = 0; a < whole.machine.axes.size(); ++a)
      for (const auto& [lost, kept] : {std::pair{check::P, check::Q},
                                       {check::Q, check::P},
                                       {check::R, check::S},
                                       {check::S, check::R}}) {
        auto machine = whole.machine;
        auto& dims = machine.axes[a].dims;
        if (!dims[lost] || !dims[kept]) continue;
        dims[lost] = false;
        for (const auto& choice : choices)
          EXPECT_EQ(standing_for(choice, whole.layer, machine), choice)
              << words(choice, machine) << " without " << check::dim_letters[lost];
      }
    if (HasFailure()) return;
  }
  EXPECT_GT(others, 20U);
}

}  // namespace
}  // namespace nestor::cim_rules_test
