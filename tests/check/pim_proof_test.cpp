// Tests of the independent checker's rules for PIM machines against brute force, on random tiny cases. The
// rules compute the same cost for every mapping as the evaluator. The oracle (pim_prove.h) proves the cost of
// the best mapping as a lower bound, and refutes a bound slightly above it. NESTOR_PIM_CASES and
// NESTOR_PIM_SEED set the number of cases and the first seed.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/pim/legality.h"
#include "pim_check_cases.h"
#include "support/setting.h"

namespace nestor::pim_proof_test {
namespace {

using check_cases::CheckedPimCase;
using check_cases::decimal;
using check_cases::decimal_above;
using check_cases::pim_objectives;
using check_cases::pim_problem;
using tests::setting;
using Costs = std::vector<check::MappingCost>;

void expect_evaluators_cost(const CheckedPimCase& problem, const pim::PimMapping& mapping,
                            const check::MappingCost& cost) {
  pim::RowCounter rows;
  const auto evaluation = pim::evaluate(problem.sample.layer, problem.sample.machine, mapping, rows);
  ASSERT_EQ(cost.fault, "");
  EXPECT_EQ(cost.latency, evaluation.latency_cycles);
  const check::Claim claim(problem.objective("edp"), problem.machine);
  const double energy =
      static_cast<double>(claim.with_leakage(cost)) / static_cast<double>(problem.machine.unit);
  const double expected = evaluation.total_energy_pj(problem.sample.machine);
  EXPECT_NEAR(energy, expected, 1e-9 * expected);
}

bool any_mapping(const CheckedPimCase& problem, std::uint64_t limit, Costs& costs,
                 tests::FeatureTally& features) {
  const auto asked =
      make_problem(problem.sample.layer, problem.sample.machine, {}, check_cases::layouts_of(problem));
  pim::RowCounter rows;
  return tests::each_pim_mapping(problem.sample, limit, [&](const pim::PimMapping& found) {
    pim::PimMapping mapping = found;
    choose_layouts(asked, mapping, rows);
    costs.push_back(problem.cost(mapping));
    expect_evaluators_cost(problem, mapping, costs.back());
    if (costs.size() == 1) tally(problem.sample, mapping, features);
  });
}

void expect_tight(const CheckedPimCase& problem, const std::string& word, const Costs& costs) {
  const check::Claim none(problem.objective(word), problem.machine);
  if (costs.empty()) {
    EXPECT_FALSE(check_cases::prove(problem.layer, problem.machine, none).refuted);
    return;
  }
  check::Wide best = none.cost(costs.front());
  for (const auto& cost : costs) best = std::min(best, none.cost(cost));
  const auto unit = none.objective().unit;
  check::Claim claim = none;
  claim.nothing_is_below(decimal(best, unit));
  EXPECT_FALSE(check_cases::prove(problem.layer, problem.machine, claim).refuted) << word;
  check::Claim more = none;
  more.nothing_is_below(decimal_above(best, unit));
  const auto refuted = check_cases::prove(problem.layer, problem.machine, more);
  EXPECT_TRUE(refuted.refuted) << word;
  if (!refuted.refuted) return;
  EXPECT_GE(more.cost(refuted.better), best) << word;
  EXPECT_LE(more.cost(refuted.better), best + best / 1'000'000 + 1) << word;
}

// Expects that the oracle proves the whole front, and refutes it without its first point.
void expect_front(const CheckedPimCase& problem, const Costs& costs) {
  check::Claim whole(problem.objective("pareto"), problem.machine);
  check::Claim lacking = whole;
  std::map<check::Int, check::Wide> least;  // least energy for each latency
  for (const auto& cost : costs) {
    const auto [place, is_new] = least.emplace(cost.latency, whole.with_leakage(cost));
    if (!is_new) place->second = std::min(place->second, whole.with_leakage(cost));
  }
  bool any = false;
  check::Wide below = 0;
  for (const auto& [latency, energy] : least) {
    if (any && energy >= below) continue;
    const auto pj = decimal(energy, problem.machine.unit);
    whole.is_covered_by(latency, pj);
    if (any) lacking.is_covered_by(latency, pj);
    any = true;
    below = energy;
  }
  EXPECT_FALSE(check_cases::prove(problem.layer, problem.machine, whole).refuted);
  EXPECT_EQ(check_cases::prove(problem.layer, problem.machine, lacking).refuted, any);
}

TEST(PimProof, IsTightAgainstBruteForce) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", setting("NESTOR_EXACTNESS_CASES", 60));
  const std::uint64_t first = setting("NESTOR_PIM_SEED", 1);
  tests::FeatureTally features;
  std::uint64_t compared = 0;
  std::uint64_t infeasible = 0;
  for (std::uint64_t seed = first; compared < cases; ++seed) {
    const auto problem = pim_problem(seed, 16);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Costs costs;
    if (!any_mapping(problem, 20000, costs, features)) continue;
    ++compared;
    if (costs.empty()) ++infeasible;
    for (const std::string word : pim_objectives) expect_tight(problem, word, costs);
    expect_front(problem, costs);
    if (HasFailure()) return;
  }
  std::printf("%llu cases, %llu of them that nothing fits\n", static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(infeasible));
  for (const auto& [feature, count] : features) std::printf("  %s: %d\n", feature.c_str(), count);
}

TEST(PimProof, CostsOfRandomMappingsEqualTheEvaluator) {
  const std::uint64_t cases = setting("NESTOR_PIM_CASES", 500);
  tests::FeatureTally features;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; compared < cases; ++seed) {
    auto problem = pim_problem(seed, 400);
    SCOPED_TRACE("seed " + std::to_string(seed));
    problem.machine.layouts.fill(true);  // any layout is allowed, since those of the mapping are random
    pim::PimMapping mapping;
    if (!tests::random_pim_mapping(problem.sample, seed, mapping)) continue;
    ++compared;
    pim::normalise(mapping, problem.sample.layer, problem.sample.machine);
    tally(problem.sample, mapping, features);
    expect_evaluators_cost(problem, mapping, problem.cost(mapping));
    if (HasFailure()) return;
  }
  for (const auto& [feature, count] : features) {
    std::printf("  %s: %d\n", feature.c_str(), count);
    EXPECT_GT(count, 0) << feature;
  }
}

}  // namespace
}  // namespace nestor::pim_proof_test
