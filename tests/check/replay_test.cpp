// Tests of proofs that the search logs and the independent checker replays, on random small cases. Each proof
// proves the optimum, and none proves a stronger claim. A log that is changed, or taken from another case,
// never proves a false claim. This test detects planted faults that make the search miss an optimum or break
// the checker's rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fixed_cases.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "search_cases.h"
#include "support/case_features.h"
#include "support/constraint_cases.h"
#include "support/setting.h"

namespace nestor::replay_test {
namespace {

using check_cases::Asked;
using check_cases::CheckedCimCase;
using check_cases::Choices;
using check_cases::decimal;
using check_cases::decimal_above;
using check_cases::exact_cost;
using check_cases::Mutator;
using check_cases::objective_of;
using check_cases::ProofLog;
using check_cases::request_for;
using check_cases::search;
using check_cases::small_case;
using tests::RandomCase;
using tests::setting;

// The search's claim for one case, its proof, and the stronger claim `better`, which is false.
struct Proved {
  Asked asked;
  check::Claim claim;
  check::Claim better;
  bool possible = true;
  Choices choices;
  std::optional<Mapping> best;
};

Proved prove_one(const RandomCase& sample, const CheckedCimCase& problem, const Asked& asked) {
  ProofLog log(sample.architecture.machine.axes.size());
  const auto found = search(sample, request_for(asked), &log);
  EXPECT_EQ(found.fault, mapper::Fault::none);
  check_cases::note_claim(sample, asked, found);
  const check::Claim none(objective_of(asked, problem.machine), problem.machine);
  Proved proved{asked, none, none, found.status != Status::infeasible, log.choices(), {}};
  for (const auto& point : found.front) {
    const auto parts = exact_cost(sample, problem, asked, point.mapping);
    const auto energy = decimal(none.with_leakage(parts), problem.machine.unit);
    EXPECT_TRUE(proved.claim.is_covered_by(parts.latency, energy));
    if (&point != &found.front.front()) proved.better.is_covered_by(parts.latency, energy);
  }
  if (!proved.possible || asked.word == "pareto") return proved;
  EXPECT_EQ(found.status, Status::optimal);
  proved.best = found.best.front().mapping;
  const auto cost = none.cost(exact_cost(sample, problem, asked, *proved.best));
  const auto unit = none.objective().unit;
  proved.claim.nothing_is_below(decimal(cost, unit));
  proved.better.nothing_is_below(decimal_above(cost, unit));
  return proved;
}

template <typename Visit>
void each_proof(const RandomCase& sample, const CheckedCimCase& problem, Visit visit) {
  for (const bool miredo : {false, true}) {
    for (const auto& asked : check_cases::objectives(miredo)) visit(prove_one(sample, problem, asked));
    visit(prove_one(sample, problem, {"pareto", miredo}));
  }
}

TEST(Replay, AcceptsTheLogOfTheSearchButNoBetterClaim) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 50);
  tests::FeatureCount features;
  std::uint64_t proofs = 0;
  std::uint64_t nests = 0;
  std::uint64_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    std::vector<Mapping> optima;
    each_proof(sample, problem, [&](const Proved& proved) {
      const auto report = check_cases::replay(problem, proved.claim, proved.choices);
      EXPECT_EQ(report.failure, "") << to_string(proved.asked);
      ++proofs;
      nests += report.nests;
      if (!proved.possible) {
        ++impossible;
        return;
      }
      EXPECT_NE(check_cases::replay(problem, proved.better, proved.choices).failure, "");
      if (proved.best) optima.push_back(*proved.best);
    });
    if (HasFailure()) return;
    features.add(sample.architecture.machine, sample.layer, optima);
  }
  std::printf(
      "%llu proofs of %llu cases, %llu of them that nothing fits, with %llu nests; of the optima: %s\n",
      static_cast<unsigned long long>(proofs), static_cast<unsigned long long>(cases),
      static_cast<unsigned long long>(impossible), static_cast<unsigned long long>(nests),
      features.to_string().c_str());
  EXPECT_THAT(features.below_five_per_cent(), ::testing::MatchesRegex("(four memories in a chain [^;]*; )?"));
  if (cases >= tests::fewest_cases_that_tell) {
    EXPECT_GT(impossible, 0U);
  }
}

bool is_true(const CheckedCimCase& problem, const check::Claim& claim) {
  const auto report = check_cases::prove(problem.layer, problem.machine, claim);
  return report.finished && !report.refuted;
}

bool is_accepted(const CheckedCimCase& problem, const check::Claim& claim, const Choices& choices) {
  try {
    return check_cases::replay(problem, claim, choices).failure.empty();
  } catch (const check::TooLarge&) {
    return false;
  }
}

// Constraints of the user exclude mappings. The checker accepts a proof of the optimum among the remaining
// mappings, but no stronger claim.
TEST(Replay, AcceptsProofsUnderConstraints) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 50) / 4;
  std::uint64_t possible = 0;
  std::uint64_t costlier = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    CheckedCimCase problem(sample);
    auto constraints = tests::random_constraints(seed, sample.layer, sample.architecture.machine, {});
    constraints.stationary = {};
    if (is_contradictory(constraints, sample.architecture.machine)) continue;
    const auto fixed = check_cases::fixed_result(constraints, problem.machine);
    SCOPED_TRACE(fixed["constraints"].dump());
    check::fix(problem.machine, fixed);
    for (const Asked& asked :
         {Asked{"latency", seed % 2 == 0}, Asked{"energy", false}, Asked{"edp", false}}) {
      auto request = request_for(asked);
      const auto free = search(sample, request);
      request.constraints = constraints;
      ProofLog log(sample.architecture.machine.axes.size());
      const auto found = search(sample, request, &log);
      check::Claim claim(objective_of(asked, problem.machine), problem.machine);
      check::Claim better = claim;
      if (found.status != Status::infeasible) {
        ASSERT_EQ(found.status, Status::optimal);
        const auto cost = claim.cost(exact_cost(sample, problem, asked, found.best.front().mapping));
        claim.nothing_is_below(decimal(cost, claim.objective().unit));
        better.nothing_is_below(decimal_above(cost, claim.objective().unit));
        ++possible;
        costlier += found.best.front().objective > free.best.front().objective ? 1U : 0U;
      }
      EXPECT_EQ(check_cases::replay(problem, claim, log.choices()).failure, "") << to_string(asked);
      if (found.status != Status::infeasible) {
        EXPECT_NE(check_cases::replay(problem, better, log.choices()).failure, "") << to_string(asked);
        // Without the constraints, the proof does not prove the claim if a better mapping exists.
        const CheckedCimCase all(sample);
        check::Claim of_all(objective_of(asked, all.machine), all.machine);
        of_all.nothing_is_below(
            decimal(claim.cost(exact_cost(sample, problem, asked, found.best.front().mapping)),
                    claim.objective().unit));
        if (found.best.front().objective > free.best.front().objective * (1 + 1e-9)) {
          EXPECT_FALSE(is_accepted(all, of_all, log.choices())) << to_string(asked);
        }
      }
    }
    if (HasFailure()) return;
  }
  std::printf("%llu proofs, %llu of an optimum that constraints raise\n",
              static_cast<unsigned long long>(possible), static_cast<unsigned long long>(costlier));
  EXPECT_GE(costlier, cases / 4);
}

// Without axes, the only spatial choice has no parallelism. A proof must list its nests like those of any
// other choice.
TEST(Replay, RequiresAListForMachinesWithoutAxes) {
  std::size_t possible = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CheckedCimCase problem(small_case(seed));
    problem.machine.axes.clear();
    const check::Claim none(objective_of({"latency", false}, problem.machine), problem.machine);
    if (!check_cases::prove(problem.layer, problem.machine, none, true).refuted) continue;
    ++possible;
    EXPECT_NE(check_cases::replay(problem, none, {}).failure, "") << seed;
  }
  EXPECT_GT(possible, 0U);
}

// A proof's lists do not contain the claim. A change can therefore make the proof of a true claim incomplete,
// but must never prove a false claim.
TEST(Replay, NeverAcceptsAFalseClaim) {
  // With few cases, few mutants are enough: they reveal most faults of a search.
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", tests::fewest_cases_that_tell);
  const std::uint64_t mutants = setting("NESTOR_MUTANTS", cases < tests::fewest_cases_that_tell ? 100 : 1000);
  std::array<std::array<std::uint64_t, 2>, Mutator::names.size()> count{};  // total and rejected, by kind
  std::uint64_t done = 0;
  for (std::uint64_t seed = 101; done < mutants; ++seed) {
    const auto sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    Mutator mutator(seed);
    each_proof(sample, problem, [&](const Proved& proved) {
      for (std::size_t kind = 0; kind < Mutator::names.size(); ++kind) {
        SCOPED_TRACE(Mutator::names[kind]);
        Choices changed = proved.choices;
        if (!mutator.apply(kind, changed)) continue;
        ++done;
        ++count[kind][0];
        if (!is_accepted(problem, proved.claim, changed)) ++count[kind][1];
        if (proved.possible) {
          EXPECT_FALSE(is_accepted(problem, proved.better, changed));
        }
      }
    });
    if (HasFailure()) return;
  }
  std::printf("%llu mutants; of a true claim rejected:", static_cast<unsigned long long>(done));
  for (std::size_t kind = 0; kind < count.size(); ++kind) {
    std::printf(" %s %llu of %llu;", Mutator::names[kind], static_cast<unsigned long long>(count[kind][1]),
                static_cast<unsigned long long>(count[kind][0]));
    if (cases >= tests::fewest_cases_that_tell) {
      EXPECT_GT(count[kind][1] * 20, count[kind][0]) << Mutator::names[kind];
    }
  }
  std::printf("\n");
}

// Replays the lists on a changed machine or layer. They are accepted only if the oracle confirms the claim
// for the changed case.
TEST(Replay, ProvesOnlyTrueClaimsOfOtherProblems) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 20);
  std::uint64_t rejected = 0;
  std::uint64_t accepted = 0;
  for (std::uint64_t seed = 201; seed < 201 + cases; ++seed) {
    const auto sample = small_case(seed);
    SCOPED_TRACE(sample.describe());
    const CheckedCimCase problem(sample);
    Random random(seed);
    each_proof(sample, problem, [&](const Proved& proved) {
      CheckedCimCase other = problem;
      check::Claim claim = proved.claim;
      switch (random.below(5)) {
        case 0: {
          auto& capacity =
              other.machine.memories[1 + random.below(other.machine.memories.size() - 1)].capacity;
          if (capacity < check::Int{1} << 40) capacity *= 2;
          break;
        }
        case 1:
          other.machine.memories[random.below(other.machine.memories.size())].bandwidth *= 2;
          break;
        case 2:
          std::swap(other.layer.bounds[check::K], other.layer.bounds[check::C]);
          break;
        case 3:
          --other.layer.partial_sum;
          break;
        default:
          other.machine.axes[random.below(other.machine.axes.size())].size *= 2;
      }
      if (is_accepted(other, claim, proved.choices)) {
        ++accepted;
        EXPECT_TRUE(is_true(other, claim));
      } else {
        ++rejected;
      }
    });
    if (HasFailure()) return;
  }
  const std::uint64_t proofs = accepted + rejected;
  std::printf("%llu lists on other problems: %llu accepted, all true; %llu rejected\n",
              static_cast<unsigned long long>(proofs), static_cast<unsigned long long>(accepted),
              static_cast<unsigned long long>(rejected));
  if (cases >= tests::fewest_cases_that_tell) {
    EXPECT_GT(rejected, accepted / 2);
  }
}

}  // namespace
}  // namespace nestor::replay_test
