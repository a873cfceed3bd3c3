// Tests that results of the search are optimal by the independent checker's rules, on random small cases, for
// every objective that the checker supports. If a planted fault in the search, its bounds or its dominance
// makes it miss an optimum here, the checker refutes the claim. `make nightly` plants all faults with this
// test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_cases.h"
#include "support/case_features.h"
#include "support/setting.h"

namespace nestor::search_claims_test {
namespace {

using check_cases::Asked;
using check_cases::CheckedCimCase;
using check_cases::decimal;
using check_cases::exact_cost;
using check_cases::objective_of;
using check_cases::request_for;
using check_cases::search;
using check_cases::small_case;
using tests::RandomCase;
using tests::setting;

class SearchClaims : public ::testing::Test {
 protected:
  void check_one(const RandomCase& sample, const CheckedCimCase& problem, const Asked& asked) {
    const auto found = search(sample, request_for(asked));
    ASSERT_EQ(found.fault, mapper::Fault::none);
    check_cases::note_claim(sample, asked, found);
    check::Claim claim(objective_of(asked, problem.machine), problem.machine);
    const bool possible = found.status != Status::infeasible;
    if (asked.word == "pareto") {
      for (const auto& point : found.front) {
        const auto parts = exact_cost(sample, problem, asked, point.mapping);
        ASSERT_EQ(parts.fault, "");
        EXPECT_TRUE(
            claim.is_covered_by(parts.latency, decimal(claim.with_leakage(parts), problem.machine.unit)));
      }
    } else if (possible) {
      ASSERT_EQ(found.status, Status::optimal);
      const auto parts = exact_cost(sample, problem, asked, found.best.front().mapping);
      ASSERT_EQ(parts.fault, "");
      claim.nothing_is_below(decimal(claim.cost(parts), claim.objective().unit));
      optima_.push_back(found.best.front().mapping);
    }
    const auto report = check_cases::prove(problem.layer, problem.machine, claim, !possible);
    EXPECT_TRUE(report.finished);
    EXPECT_FALSE(report.refuted) << to_string(asked);
    ++proved_;
    if (!possible) ++infeasible_;
  }

  std::vector<Mapping> optima_;
  std::uint64_t proved_ = 0;
  std::uint64_t infeasible_ = 0;
};

TEST_F(SearchClaims, AreProvedByTheChecker) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 40);
  tests::FeatureCount features;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    optima_.clear();
    for (const bool miredo : {false, true}) {
      for (const auto& asked : check_cases::objectives(miredo)) check_one(sample, problem, asked);
      check_one(sample, problem, {"pareto", miredo});
    }
    if (HasFailure()) return;
    features.add(sample.architecture.machine, sample.layer, optima_);
  }
  std::printf("%llu claims of %llu cases, %llu of them that nothing fits; of the optima: %s\n",
              static_cast<unsigned long long>(proved_), static_cast<unsigned long long>(cases),
              static_cast<unsigned long long>(infeasible_), features.to_string().c_str());
  // Optima of easy cases rarely use four memories.
  EXPECT_THAT(features.below_five_per_cent(), ::testing::MatchesRegex("(four memories in a chain [^;]*; )?"));
  if (cases >= tests::fewest_cases_that_tell) {
    EXPECT_GT(infeasible_, 0U);
  }
}

}  // namespace
}  // namespace nestor::search_claims_test
