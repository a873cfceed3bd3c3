// Tests of the independent checker's rules against brute force, on random tiny cases. The rules compute the
// same cost for every mapping as the evaluator. The oracle (prove.h) proves the cost of the best mapping as a
// lower bound, and refutes a bound slightly above it. NESTOR_EXACTNESS_CASES and NESTOR_EXACTNESS_SEED set
// the number of cases and the first seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "check_cases.h"
#include "model/cim/search/objective.h"
#include "support/brute_force.h"
#include "support/case_features.h"
#include "support/random_cases.h"
#include "support/setting.h"

namespace nestor::proof_test {
namespace {

using check_cases::Asked;
using check_cases::CheckedCimCase;
using check_cases::decimal;
using check_cases::decimal_above;
using check_cases::exact_cost;
using check_cases::objective_of;
using check_cases::objectives;
using tests::RandomCase;
using tests::setting;

struct Best {
  bool any = false;
  check::Wide cost = 0;
};

void expect_evaluators_cost(const RandomCase& sample, const CheckedCimCase& problem, const Mapping& mapping) {
  const auto& machine = sample.architecture.machine;
  const auto evaluation = cim::evaluate(sample.layer, machine, mapping);
  for (const bool miredo : {false, true}) {
    const auto model = miredo ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
    const auto cost = exact_cost(sample, problem, {"edp", miredo}, mapping);
    ASSERT_EQ(cost.fault, "");
    EXPECT_EQ(cost.latency, evaluation.cycles(model));
    const check::Claim claim(objective_of({"energy", miredo}, problem.machine), problem.machine);
    const double energy =
        static_cast<double>(claim.with_leakage(cost)) / static_cast<double>(problem.machine.unit);
    const double expected = evaluation.total_energy_pj(machine, model);
    EXPECT_NEAR(energy, expected, 1e-9 * expected);
    for (const std::string mu2 : {"", "2"}) {
      const check::Claim sizes(objective_of({"eq14", miredo, mu2}, problem.machine), problem.machine);
      const auto eq14 = sizes.cost(exact_cost(sample, problem, {"eq14", miredo, mu2}, mapping));
      cim::CimObjective objective{{.kind = cim::ObjectiveKind::eq14}, model};
      objective.latency_weight = mu2.empty() ? 1 : check_cases::given_mu1;
      objective.additive_weight = mu2.empty() ? cim::default_eq14_weight(machine) : std::stod(mu2);
      const double value = cim::objective_value(objective, evaluation, machine);
      EXPECT_NEAR(static_cast<double>(eq14) / static_cast<double>(sizes.objective().unit), value,
                  1e-9 * std::max(std::abs(value), static_cast<double>(cost.latency)));
    }
  }
}

// Draws random cases from a seed and returns the first that is small enough to enumerate.
RandomCase tiny_case(std::uint64_t seed, std::vector<Mapping>& mappings) {
  constexpr std::uint64_t most_mappings = 150000;
  for (std::uint64_t attempt = 0;; ++attempt) {
    auto sample = tests::random_case(
        seed + (attempt << 40U),
        {.max_steps = 48, .max_loops = 4, .graded = seed % 4 != 0, .mirrored = seed % 10 == 9});
    mappings.clear();
    if (tests::for_each_mapping(sample.layer, sample.architecture.machine, most_mappings,
                                [&](const Mapping& mapping) { mappings.push_back(mapping); }))
      return sample;
  }
}

void expect_tight(const CheckedCimCase& problem, const Asked& asked, const Best& best) {
  const check::Claim none(objective_of(asked, problem.machine), problem.machine);
  if (!best.any) {
    EXPECT_FALSE(check_cases::prove(problem.layer, problem.machine, none, true).refuted);
    return;
  }
  check::Claim claim = none;
  const auto unit = none.objective().unit;
  claim.nothing_is_below(decimal(best.cost, unit));
  const auto proof = check_cases::prove(problem.layer, problem.machine, claim);
  EXPECT_TRUE(proof.finished && !proof.refuted) << to_string(asked);
  check::Claim more = none;
  more.nothing_is_below(decimal_above(best.cost, unit));
  const auto refuted = check_cases::prove(problem.layer, problem.machine, more);
  EXPECT_TRUE(refuted.refuted) << to_string(asked);
  // Components of the cost on which the objective does not depend are not computed.
  if (refuted.refuted && none.objective().follows_latency) {
    const auto cost = more.cost(refuted.better);
    EXPECT_GE(cost, best.cost);
    EXPECT_LE(cost, best.cost + std::max(best.cost, -best.cost) / 1'000'000);
  }
}

// Expects that the oracle proves the whole front, and refutes it without its first point.
void expect_front(const CheckedCimCase& problem, const std::vector<check::MappingCost>& costs, bool miredo) {
  check::Claim whole(objective_of({"pareto", miredo}, problem.machine), problem.machine);
  check::Claim lacking = whole;
  std::map<check::Int, check::Wide> least;  // least energy for each latency
  for (const auto& cost : costs) {
    const auto energy = whole.with_leakage(cost);
    const auto [place, is_new] = least.emplace(cost.latency, energy);
    if (!is_new) place->second = std::min(place->second, energy);
  }
  bool any = false;
  check::Wide below = 0;
  for (const auto& [latency, energy] : least) {
    if (any && energy >= below) continue;
    const auto pj = decimal(energy, problem.machine.unit);
    EXPECT_TRUE(whole.is_covered_by(latency, pj));
    if (any) lacking.is_covered_by(latency, pj);
    any = true;
    below = energy;
  }
  EXPECT_FALSE(check_cases::prove(problem.layer, problem.machine, whole).refuted);
  EXPECT_EQ(check_cases::prove(problem.layer, problem.machine, lacking).refuted, any);
  // A point that is slower than the last one and needs as much energy is refused, because the last point
  // covers it.
  if (any) {
    EXPECT_FALSE(whole.is_covered_by(least.rbegin()->first + 1, decimal(below, problem.machine.unit)));
  }
}

// Numbers of eq14 optima where sizes break a tie, where they justify more cycles, and with a value below 0.
struct SizesThatCount {
  int breaking_ties = 0;
  int paid_for = 0;
  int below_zero = 0;

  void count(const Asked& asked, const std::vector<check::MappingCost>& parts,
             const check::MappingCost& best) {
    check::Int fewest = best.latency;
    for (const auto& cost : parts) fewest = std::min(fewest, cost.latency);
    if (fewest < best.latency) ++paid_for;
    if (asked.mu2 == "2" && best.energy < -best.latency) ++below_zero;
    if (asked.mu2.empty())
      for (const auto& cost : parts)
        if (cost.latency == best.latency && cost.energy > best.energy) {
          ++breaking_ties;
          break;
        }
  }
};

TEST(Proof, IsTightAgainstBruteForce) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 6);
  const std::uint64_t first = setting("NESTOR_EXACTNESS_SEED", 400);
  tests::FeatureCount features;
  SizesThatCount sizes_that_count;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    std::vector<Mapping> mappings;
    const auto sample = tiny_case(seed, mappings);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    std::vector<Mapping> optima;
    for (const bool miredo : {false, true}) {
      std::vector<check::MappingCost> costs;  // costs with energy
      std::vector<check::MappingCost> sizes;
      for (const Mapping& mapping : mappings) {
        costs.push_back(exact_cost(sample, problem, {"edp", miredo}, mapping));
        sizes.push_back(exact_cost(sample, problem, {"eq14", miredo}, mapping));
        ASSERT_EQ(costs.back().fault, "");
      }
      expect_front(problem, costs, miredo);
      for (const auto& asked : objectives(miredo)) {
        const check::Claim claim(objective_of(asked, problem.machine), problem.machine);
        const auto& parts = claim.objective().counts_sizes ? sizes : costs;
        const auto least = std::min_element(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
          return claim.cost(a) < claim.cost(b);
        });
        const bool any = least != parts.end();
        expect_tight(problem, asked, {any, any ? claim.cost(*least) : 0});
        if (!any) continue;
        if (claim.objective().counts_sizes) sizes_that_count.count(asked, parts, *least);
        optima.push_back(mappings[static_cast<std::size_t>(least - parts.begin())]);
        expect_evaluators_cost(sample, problem, optima.back());
      }
    }
    if (HasFailure()) return;
    features.add(sample.architecture.machine, sample.layer, optima);
  }
  std::printf("%llu cases from seed %llu; of their optima: %s\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(first), features.to_string().c_str());
  // Optima rarely use four memories; the mappings of the next test do.
  EXPECT_THAT(features.below_five_per_cent(), ::testing::MatchesRegex("(four memories in a chain [^;]*; )?"));
  std::printf(
      "of %llu claims of eq14: %d decided by sizes alone, %d with cycles given for them, %d below 0\n",
      6 * static_cast<unsigned long long>(cases), sizes_that_count.breaking_ties, sizes_that_count.paid_for,
      sizes_that_count.below_zero);
  EXPECT_GT(sizes_that_count.breaking_ties, 0);
  EXPECT_GT(sizes_that_count.paid_for, 0);
  EXPECT_GT(sizes_that_count.below_zero, 0);
}

TEST(Proof, CostsOfRandomMappingsEqualTheEvaluator) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto sample = tests::random_case(seed);
    SCOPED_TRACE(sample.describe());
    expect_evaluators_cost(sample, CheckedCimCase(sample), sample.mapping);
    if (HasFailure()) return;
  }
}

TEST(Proof, ReadsDecimalsWithoutRounding) {
  const auto in = [](const char* text, check::Wide unit) { return check::parse_decimal(text).in(unit); };
  EXPECT_TRUE(in("0.0469450687", check::power_of_ten(10)) == 469450687);
  EXPECT_TRUE(in("1.25e+3", 100) == 125000);
  EXPECT_TRUE(in("3e-2", 10000) == 300);
  EXPECT_EQ(check::to_text(12345, 100), "123.45");
  EXPECT_THROW(check::parse_decimal("1,5"), check::Unreadable);
  EXPECT_TRUE(check::parse_decimal("-1.5e1").least(10) == -150);
  EXPECT_TRUE(check::parse_decimal("-1.25").least(10) == -12);
  EXPECT_TRUE(check::parse_decimal("-1.25").most(10) == -13);
  EXPECT_TRUE(check::parse_decimal("-3e9").least(1) == -3000000003);
  EXPECT_TRUE(check::parse_decimal("-3e9").most(1) == -2999999997);
  EXPECT_THROW(check::parse_decimal("-1-"), check::Unreadable);
  EXPECT_THROW(check::parse_decimal("-"), check::Unreadable);
  EXPECT_THROW(in("-1", 1), check::Unreadable);
  EXPECT_THROW(in("1e60", 1), check::TooLarge);
  // Least and greatest numbers of whole units that agree with a decimal to one part in 10^9.
  EXPECT_TRUE(check::parse_decimal("12.299999999999999").least(10) == 123);
  EXPECT_TRUE(check::parse_decimal("12.300000000000001").least(10) == 123);
  EXPECT_TRUE(check::parse_decimal("12.25").least(10) == 123);
  EXPECT_TRUE(check::parse_decimal("12.25").most(10) == 122);
  EXPECT_TRUE(check::parse_decimal("3e9").least(1) == 2999999997);
  EXPECT_TRUE(check::parse_decimal("3e9").most(1) == 3000000003);
}

}  // namespace
}  // namespace nestor::proof_test
