// The independent checker against brute force on random tiny cases. Its cost of a mapping is the evaluator's,
// and its proof is tight on both sides: that nothing costs less than the best of all mappings is proved, that
// nothing costs less than a little more is refuted. NESTOR_EXACTNESS_CASES and NESTOR_EXACTNESS_SEED set how
// many cases and which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "check_cases.h"
#include "model/cim/evaluate.h"
#include "support/brute_force.h"
#include "support/case_features.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor {
namespace {

using check_cases::exact_cost;
using check_cases::objectives;
using check_cases::Problem;
using testing::RandomCase;
using testing::setting;

struct Best {
  bool any = false;
  check::Wide cost = 0;
};

void expect_evaluators_cost(const RandomCase& sample, const Problem& problem, const Mapping& mapping) {
  const auto& machine = sample.architecture.machine;
  const auto evaluation = cim::evaluate(sample.layer, machine, mapping);
  for (const bool miredo : {false, true}) {
    const auto model = miredo ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
    const auto cost = exact_cost(sample, problem, {.kind = check::Kind::edp, .miredo = miredo}, mapping);
    ASSERT_EQ(cost.fault, "");
    EXPECT_EQ(cost.latency, evaluation.cycles(model));
    const check::Claim claim({.kind = check::Kind::energy}, problem.machine);
    const double energy = static_cast<double>(claim.with_leakage(cost.latency, cost.energy)) /
                          static_cast<double>(check::power_of_ten(problem.machine.places));
    const double expected = evaluation.total_energy_pj(machine, model);
    EXPECT_NEAR(energy, expected, 1e-9 * expected);
  }
}

// Draws until a case is small enough to be enumerated.
RandomCase tiny_case(std::uint64_t seed, std::vector<Mapping>& mappings) {
  constexpr std::uint64_t most_mappings = 150000;
  for (std::uint64_t attempt = 0;; ++attempt) {
    auto sample = testing::random_case(
        seed + (attempt << 40U),
        {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .mirrored = seed % 10 == 9});
    mappings.clear();
    if (testing::for_each_mapping(sample.layer, sample.architecture.machine, most_mappings,
                                  [&](const Mapping& mapping) { mappings.push_back(mapping); }))
      return sample;
  }
}

void expect_tight(const Problem& problem, const check::Objective& objective, const Best& best) {
  check::Claim claim(objective, problem.machine);
  if (!best.any) {
    claim.nothing_is_possible();
    EXPECT_FALSE(check::prove(problem.layer, problem.machine, claim, {}).refuted);
    return;
  }
  claim.nothing_is_below(best.cost);
  const auto proof = check::prove(problem.layer, problem.machine, claim, {.threads = 2});
  EXPECT_TRUE(proof.finished && !proof.refuted)
      << "kind " << static_cast<int>(objective.kind) << " miredo " << objective.miredo;
  check::Claim more(objective, problem.machine);
  more.nothing_is_below(best.cost + best.cost / 1'000'000 + 1);
  const auto refuted = check::prove(problem.layer, problem.machine, more, {});
  EXPECT_TRUE(refuted.refuted);
  // Parts that the objective does not follow are not known.
  if (refuted.refuted && more.follows_latency() && more.follows_energy()) {
    const auto cost = more.cost(refuted.latency, more.with_leakage(refuted.latency, refuted.energy));
    EXPECT_GE(cost, best.cost);
    EXPECT_LE(cost, best.cost + best.cost / 1'000'000);
  }
}

// The whole front covers all mappings; without its first point it does not.
void expect_front(const Problem& problem, const std::vector<check::Cost>& costs, bool miredo) {
  const check::Objective objective{.kind = check::Kind::latency, .miredo = miredo};
  check::Claim whole(objective, problem.machine);
  check::Claim lacking(objective, problem.machine);
  whole.is_a_front();
  lacking.is_a_front();
  std::map<check::Int, check::Wide> least;  // energy at a latency
  for (const auto& cost : costs) {
    const auto energy = whole.with_leakage(cost.latency, cost.energy);
    const auto [place, is_new] = least.emplace(cost.latency, energy);
    if (!is_new) place->second = std::min(place->second, energy);
  }
  bool any = false;
  check::Wide below = 0;
  for (const auto& [latency, energy] : least) {
    if (any && energy >= below) continue;
    whole.is_covered_by(latency, energy);
    if (any) lacking.is_covered_by(latency, energy);
    any = true;
    below = energy;
  }
  EXPECT_FALSE(check::prove(problem.layer, problem.machine, whole, {}).refuted);
  EXPECT_EQ(check::prove(problem.layer, problem.machine, lacking, {}).refuted, any);
}

TEST(Proof, IsTightAgainstBruteForce) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 24);
  const std::uint64_t first = setting("NESTOR_EXACTNESS_SEED", 400);
  testing::FeatureCount features;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    std::vector<Mapping> mappings;
    const auto sample = tiny_case(seed, mappings);
    SCOPED_TRACE(sample.describe());
    const Problem problem(sample);
    std::vector<Mapping> optima;
    for (const bool miredo : {false, true}) {
      std::vector<check::Cost> costs;
      for (const Mapping& mapping : mappings) {
        costs.push_back(exact_cost(sample, problem, {.kind = check::Kind::edp, .miredo = miredo}, mapping));
        ASSERT_EQ(costs.back().fault, "");
      }
      expect_front(problem, costs, miredo);
      for (const auto& objective : objectives(miredo)) {
        const check::Claim claim(objective, problem.machine);
        const auto cost = [&](const check::Cost& parts) {
          return claim.cost(parts.latency, claim.with_leakage(parts.latency, parts.energy));
        };
        const auto least = std::min_element(costs.begin(), costs.end(),
                                            [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
        const bool any = least != costs.end();
        expect_tight(problem, objective, {any, any ? cost(*least) : 0});
        if (!any) continue;
        optima.push_back(mappings[static_cast<std::size_t>(least - costs.begin())]);
        expect_evaluators_cost(sample, problem, optima.back());
      }
    }
    if (HasFailure()) return;
    features.add(sample.architecture.machine, sample.layer, optima);
  }
  std::printf("%llu cases from seed %llu; of their optima: %s\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(first), features.to_string().c_str());
  // Optima without eq14's reward for sizes hardly use four; the next test's mappings do.
  EXPECT_THAT(features.below_five_per_cent(), ::testing::MatchesRegex("(four memories in a chain [^;]*; )?"));
}

TEST(Proof, CostsRandomMappingsAsTheEvaluatorDoes) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto sample = testing::random_case(seed);
    SCOPED_TRACE(sample.describe());
    expect_evaluators_cost(sample, Problem(sample), sample.mapping);
    if (HasFailure()) return;
  }
}

TEST(Proof, ReadsDecimalsWithoutRounding) {
  EXPECT_EQ(check::to_text(check::parse_decimal("0.0469450687").in_units(10), 10), "0.0469450687");
  EXPECT_EQ(check::to_text(check::parse_decimal("1.25e+3").in_units(2), 2), "1250");
  EXPECT_EQ(check::to_text(check::parse_decimal("-3e-2").in_units(4), 4), "-0.03");
  EXPECT_THROW(check::parse_decimal("1,5"), check::Unreadable);
  EXPECT_THROW(check::parse_decimal("1e60").in_units(0), check::TooLarge);
}

}  // namespace
}  // namespace nestor
