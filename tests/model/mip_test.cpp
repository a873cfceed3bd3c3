// Tests that compare the exported mixed-integer programs with the search, the evaluator and, if installed,
// MIP solvers.
#include <gtest/gtest.h>

#include "model/cim/search/admission.h"
#include "model/loopnest/flexible_factors.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/mip/cim/formulation.h"
#include "model/search_cases.h"
#include "solver/engine/engine.h"
#include "support/constraint_cases.h"
#include "support/mip_referee.h"
#include "support/reference_data.h"
#include "support/setting.h"

namespace nestor::cim::mip_test {
namespace {

using nestor::tests::random_case;
using nestor::tests::setting;

Engine<Space>::Outcome solve(const CimProblem& problem) {
  MemoryBudget memory(std::size_t{1} << 30U);
  const auto space = make_space<HostStorage>(problem, Direction::outward);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return Engine<Space>(*space, *executor, memory, {}, stop).run();
}

RandomCase tiny_case(std::uint64_t seed) {
  auto sample =
      random_case(seed, {.max_steps = 12, .max_loops = 3, .graded = seed % 2 == 0, .groups = seed % 5 == 4});
  Random random(seed);
  if (random.chance(0.7)) tighten(sample, random);
  return sample;
}

void expect_solution(const MiredoProgram& made, double expected, const std::string& what) {
  ASSERT_TRUE(made.nest().knows()) << what;
  const auto& program = made.program();
  EXPECT_EQ(program.broken(program.known(), 1e-9), "") << what;
  EXPECT_NEAR(program.objective(program.known()), expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
}

TEST(MiredoProgram, ContainsEveryLegalMappingAtItsCost) {
  const auto first = setting("NESTOR_MIP_SEED", 1);
  for (std::uint64_t seed = first; seed < first + setting("NESTOR_MIP_CASES", 60); ++seed) {
    const auto sample = random_case(seed, {.max_steps = 200, .max_loops = 6, .graded = seed % 2 == 0});
    for (const CimObjective& objective : objectives()) {
      if (objective.kind == ObjectiveKind::edp) continue;
      const auto problem = make_problem(sample.layer, sample.architecture.machine, objective);
      const MiredoProgram made(problem, &sample.mapping, std::nullopt);
      const auto evaluation = evaluate(sample.layer, sample.architecture.machine, sample.mapping);
      expect_solution(made, objective_value(problem.objective, evaluation, problem.machine),
                      sample.describe() + " objective " + std::to_string(static_cast<int>(objective.kind)));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(MiredoProgram, HasTheOptimumOfTheSearch) {
  const auto first = setting("NESTOR_MIP_SEED", 1);
  nestor::tests::MipReferee solvers;
  int fixed = 0;
  int flexible = 0;
  for (std::uint64_t seed = first; seed < first + setting("NESTOR_MIP_CASES", 12); ++seed) {
    const auto sample = tiny_case(seed);
    std::uint64_t k = 0;
    for (const CimObjective& objective : objectives()) {
      if (objective.kind == ObjectiveKind::edp) continue;
      ++k;
      auto problem = make_problem(sample.layer, sample.architecture.machine, objective);
      if ((seed + k) % 3 == 0)
        problem.constraints =
            nestor::tests::random_constraints(seed, sample.layer, problem.machine, sample.mapping.loops);
      if (is_contradictory(problem.constraints, problem.machine)) continue;
      if ((seed + k) % 4 == 0)
        for (std::size_t d = 0; d < dim_count; ++d)
          problem.factors[d] =
              flexible_factors(sample.layer.bounds[d], {.least_factors = 1, .most_loss = 0.9});
      const auto outcome = solve(problem);
      if (outcome.best.empty()) continue;
      fixed += (seed + k) % 3 == 0 ? 1 : 0;
      flexible += problem.factors != prime_factors(sample.layer.bounds) ? 1 : 0;
      const auto& best = outcome.best.front();
      auto found = sample;
      found.mapping = best.solution;
      const auto what = found.describe() + " objective " + std::to_string(k);
      const MiredoProgram made(problem, &best.solution, best.cost);
      expect_solution(made, best.cost, what);
      solvers.judge(made.program(), best.cost, "mip_" + std::to_string(seed) + "_" + std::to_string(k), what);
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(fixed, 0);
  EXPECT_GT(flexible, 0);
}

// Contradictory constraints exclude all solutions, for any values of the other columns.
TEST(MiredoProgram, HasNoSolutionForContradictoryConstraints) {
  int impossible = 0;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    const auto sample = tiny_case(seed);
    auto problem = make_problem(sample.layer, sample.architecture.machine, objectives().front());
    problem.constraints =
        nestor::tests::random_constraints(seed, sample.layer, problem.machine, sample.mapping.loops);
    if (!is_contradictory(problem.constraints, problem.machine)) continue;
    ++impossible;
    const MiredoProgram made(problem, nullptr, std::nullopt);
    const auto& rows = made.program().rows();
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const auto& row) {
      return row.name == "impossible";
    })) << sample.describe();
  }
  EXPECT_GT(impossible, 5);
}

TEST(MiredoProgram, HasTheProvedOptimaOfReferenceCases) {
  const auto cases = nestor::tests::load_reference_cases("tiny.json");
  if (cases.empty()) GTEST_SKIP() << "the reference cases are not on this machine";
  nestor::tests::MipReferee solvers;
  const std::vector<std::pair<const char*, CimObjective>> goals = {
      {"latency_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::miredo}},
      {"stall_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::stall}},
      {"energy_pj", {{.kind = ObjectiveKind::energy}, LatencyModel::stall}}};
  for (std::size_t i = setting("NESTOR_MIP_FIRST", 0); i < cases.size(); ++i)
    for (const auto& [key, objective] : goals) {
      const double expected = cases[i].proved_optimal.at(key).get<double>();
      const auto name = "tiny_" + std::to_string(i) + "_" + key;
      const auto problem = make_problem(cases[i].layer, cases[i].architecture.machine, objective);
      const auto best = solve(problem).best.front();
      const MiredoProgram made(problem, &best.solution, best.cost);
      expect_solution(made, expected, name);
      solvers.judge(made.program(), expected, name, name);
    }
}

}  // namespace
}  // namespace nestor::cim::mip_test
