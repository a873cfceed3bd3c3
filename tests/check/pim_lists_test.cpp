// Tests of proofs that the search logs on PIM machines and the independent checker replays, on random small
// cases. Each proof proves the optimum, and none proves a stronger claim. A log that is changed, or taken
// from another case, never proves a false claim. This test detects planted faults that make the search miss
// an optimum or break the checker's rules.
#include <gtest/gtest.h>

#include "check/replay.h"
#include "fixed_cases.h"
#include "kept_lists.h"
#include "mapper/pim/map_layer.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "pim_check_cases.h"
#include "support/constraint_cases.h"
#include "support/setting.h"

namespace nestor::pim_lists_test {
namespace {

using check_cases::CheckedPimCase;
using check_cases::Choices;
using check_cases::decimal;
using check_cases::decimal_above;
using check_cases::Mutator;
using check_cases::pim_objectives;
using check_cases::pim_problem;
using tests::setting;

class Log final : public EngineObserver {
 public:
  explicit Log(std::size_t axes) : axes_(axes) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  bool needs_labels() const override { return true; }
  void branch_left(const KeptLabels& kept) override { choices_.push_back(check_cases::logged(kept, axes_)); }
  const Choices& choices() const { return choices_; }

 private:
  std::size_t axes_;
  Choices choices_;
};

// The search's claim for one case, its proof, and the stronger claim `better`, which is false.
struct Proved {
  std::string word;
  check::Claim claim;
  check::Claim better;
  bool possible = true;
  Choices choices;
};

Proved prove_one(const CheckedPimCase& problem, const std::string& word,
                 const Constraints& constraints = Constraints()) {
  const auto& [layer, machine] = problem.sample;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  mapper::pim::PimRequest request;
  request.objective = problem.searched(word);
  request.pareto = word == "pareto";
  request.constraints = constraints;
  request.layouts = check_cases::layouts_of(problem);
  Log log(machine.axes.size());
  const auto found = mapper::pim::map_layer(layer, machine, request, {*executor, memory}, &log);
  EXPECT_EQ(found.fault, mapper::Fault::none);
  const check::Claim none(problem.objective(word), problem.machine);
  Proved proved{word, none, none, found.status != Status::infeasible, log.choices()};
  for (const auto& point : found.front) {
    const auto parts = problem.cost(point.mapping);
    EXPECT_EQ(parts.fault, "");
    const auto energy = decimal(none.with_leakage(parts), problem.machine.unit);
    EXPECT_TRUE(proved.claim.is_covered_by(parts.latency, energy));
    if (&point != &found.front.front()) proved.better.is_covered_by(parts.latency, energy);
  }
  if (!proved.possible || request.pareto) return proved;
  EXPECT_EQ(found.status, Status::optimal);
  const auto parts = problem.cost(found.best.front().mapping);
  EXPECT_EQ(parts.fault, "");
  const auto unit = none.objective().unit;
  proved.claim.nothing_is_below(decimal(none.cost(parts), unit));
  proved.better.nothing_is_below(decimal_above(none.cost(parts), unit));
  return proved;
}

template <typename Visit>
void each_proof(const CheckedPimCase& problem, Visit visit) {
  for (const std::string word : pim_objectives) visit(prove_one(problem, word));
  visit(prove_one(problem, "pareto"));
}

check::ReplayReport replay(const CheckedPimCase& problem, const check::Claim& claim, const Choices& choices) {
  std::size_t next = 0;
  const auto source = [&](check::LoggedChoice& choice) {
    if (next == choices.size()) return false;
    choice = choices[next++];
    return true;
  };
  return check::replay<check::pim::PimRules>(problem.layer, problem.machine, {claim, {}}, source);
}

bool is_accepted(const CheckedPimCase& problem, const check::Claim& claim, const Choices& choices) {
  try {
    return replay(problem, claim, choices).failure.empty();
  } catch (const check::TooLarge&) {
    return false;
  }
}

TEST(PimReplay, AcceptsProofsUnderConstraints) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 60);
  std::uint64_t possible = 0;
  std::uint64_t refuted = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto all = pim_problem(seed, 24);
    auto constraints = tests::random_constraints(seed, all.sample.layer, all.sample.machine, {});
    constraints.stationary = {};
    if (is_contradictory(constraints, all.sample.machine)) continue;
    auto problem = all;
    const auto fixed = check_cases::fixed_result(constraints, problem.machine);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + fixed["constraints"].dump());
    check::fix(problem.machine, fixed);
    for (const std::string word : {"latency", "energy", "edp", "pareto"}) {
      const auto proved = prove_one(problem, word, constraints);
      EXPECT_EQ(replay(problem, proved.claim, proved.choices).failure, "") << word;
      if (!proved.possible) continue;
      ++possible;
      EXPECT_NE(replay(problem, proved.better, proved.choices).failure, "") << word;
      refuted += is_accepted(all, proved.claim, proved.choices) ? 0U : 1U;
    }
    if (HasFailure()) return;
  }
  std::printf("%llu proofs, %llu of them of constraints alone\n", static_cast<unsigned long long>(possible),
              static_cast<unsigned long long>(refuted));
  EXPECT_GE(refuted, cases / 4);
}

TEST(PimReplay, AcceptsTheLogOfTheSearchButNoBetterClaim) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 60);
  std::uint64_t nests = 0;
  std::uint64_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto problem = pim_problem(seed, seed % 2 == 0 ? 24 : 96);
    SCOPED_TRACE("seed " + std::to_string(seed));
    each_proof(problem, [&](const Proved& proved) {
      const auto report = replay(problem, proved.claim, proved.choices);
      EXPECT_EQ(report.failure, "") << proved.word;
      nests += report.nests;
      if (!proved.possible) ++impossible;
      if (proved.possible) {
        EXPECT_NE(replay(problem, proved.better, proved.choices).failure, "") << proved.word;
      }
    });
    if (HasFailure()) return;
  }
  std::printf("%llu cases with %llu nests, %llu proofs that nothing fits\n",
              static_cast<unsigned long long>(cases), static_cast<unsigned long long>(nests),
              static_cast<unsigned long long>(impossible));
  EXPECT_GT(nests, 20 * cases);
}

// A proof's lists do not contain the claim. A change can therefore make the proof of a true claim incomplete,
// but must never prove a false claim.
TEST(PimReplay, NeverAcceptsAFalseClaim) {
  const std::uint64_t mutants = setting("NESTOR_MUTANTS", 1000);
  std::array<std::array<std::uint64_t, 2>, Mutator::names.size()> count{};  // total and rejected, by kind
  std::uint64_t done = 0;
  for (std::uint64_t seed = 101; done < mutants; ++seed) {
    const auto problem = pim_problem(seed, 48);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Mutator mutator(seed);
    each_proof(problem, [&](const Proved& proved) {
      for (std::size_t kind = 0; kind < Mutator::names.size(); ++kind) {
        SCOPED_TRACE(Mutator::names[kind]);
        Choices changed = proved.choices;
        if (!mutator.apply(kind, changed)) continue;
        ++done;
        ++count[kind][0];
        if (!is_accepted(problem, proved.claim, changed)) ++count[kind][1];
        if (proved.possible) {
          EXPECT_FALSE(is_accepted(problem, proved.better, changed)) << proved.word;
        }
      }
    });
    if (HasFailure()) return;
  }
  std::printf("%llu mutants; of a true claim rejected:", static_cast<unsigned long long>(done));
  for (std::size_t kind = 0; kind < count.size(); ++kind) {
    std::printf(" %s %llu of %llu;", Mutator::names[kind], static_cast<unsigned long long>(count[kind][1]),
                static_cast<unsigned long long>(count[kind][0]));
    EXPECT_GT(count[kind][1] * 40, count[kind][0]) << Mutator::names[kind];
  }
  std::printf("\n");
}

// Replays the lists on a changed machine or layer. They are accepted only if the oracle confirms the claim
// for the changed case.
TEST(PimReplay, ProvesOnlyTrueClaimsOfOtherProblems) {
  const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 60);
  std::uint64_t rejected = 0;
  std::uint64_t accepted = 0;
  for (std::uint64_t seed = 201; seed < 201 + cases; ++seed) {
    const auto problem = pim_problem(seed, 32);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    each_proof(problem, [&](const Proved& proved) {
      auto other = problem;
      auto& memory = other.machine.memories[1 + random.below(other.machine.memories.size() - 1)];
      switch (random.below(7)) {
        case 0:
          if (memory.capacity < check::Int{1} << 40) memory.capacity *= 2;
          break;
        case 1:
          memory.bandwidth *= 2;
          break;
        case 2:
          std::swap(other.layer.bounds[check::K], other.layer.bounds[check::C]);
          break;
        case 3:
          other.machine.is_even = false;
          break;
        case 4:
          other.machine.ports[0].row *= 2;
          break;
        case 5:
          other.machine.layouts.fill(true);
          break;
        default:
          other.machine.axes[random.below(other.machine.axes.size())].size *= 2;
      }
      if (is_accepted(other, proved.claim, proved.choices)) {
        ++accepted;
        EXPECT_FALSE(check_cases::prove(other.layer, other.machine, proved.claim).refuted) << proved.word;
      } else {
        ++rejected;
      }
    });
    if (HasFailure()) return;
  }
  std::printf("lists on other problems: %llu accepted, all true; %llu rejected\n",
              static_cast<unsigned long long>(accepted), static_cast<unsigned long long>(rejected));
  EXPECT_GT(rejected, accepted / 8);
}

}  // namespace
}  // namespace nestor::pim_lists_test
