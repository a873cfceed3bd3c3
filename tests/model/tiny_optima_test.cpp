// Tests that the search of the cim space finds the proved optima of the reference cases.
#include <gtest/gtest.h>

#include "model/cim/space/cim_space.h"
#include "model/loopnest/rules/legality.h"
#include "solver/engine/engine.h"
#include "support/reference_data.h"

namespace nestor::cim::tiny_optima_test {
namespace {

Engine<CimSpace<HostStorage>>::Outcome solve(const LayerShape& layer, const Architecture& machine,
                                             const CimObjective& objective) {
  MemoryBudget memory(std::size_t{4} << 30U);
  const auto space = make_space<HostStorage>(make_problem(layer, machine, objective), Direction::outward);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  return Engine<CimSpace<HostStorage>>(*space, *executor, memory, {}, stop).run();
}

void expect_optima(const std::string& file) {
  const auto cases = nestor::tests::load_reference_cases(file);
  if (cases.empty()) GTEST_SKIP() << "reference file " << file << " is not on this machine";
  struct Goal {
    const char* key;
    CimObjective objective;
  };
  const std::vector<Goal> goals = {
      {"latency_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::miredo}},
      {"stall_cycles", {{.kind = ObjectiveKind::latency}, LatencyModel::stall}},
      {"energy_pj", {{.kind = ObjectiveKind::energy}}},
      {"edp", {{.kind = ObjectiveKind::edp}, LatencyModel::miredo}},
      {"stall_edp", {{.kind = ObjectiveKind::edp}, LatencyModel::stall}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Architecture& machine = cases[i].architecture.machine;
    for (const Goal& goal : goals) {
      if (!cases[i].proved_optimal.contains(goal.key)) continue;
      SCOPED_TRACE("case " + std::to_string(i) + " " + goal.key);
      const auto outcome = solve(cases[i].layer, machine, goal.objective);
      ASSERT_EQ(outcome.status, Status::optimal);
      const double expected = cases[i].proved_optimal.at(goal.key).get<double>();
      EXPECT_NEAR(outcome.best.front().cost, expected, 1e-9 * expected);
      const Mapping& mapping = outcome.best.front().solution;
      ASSERT_FALSE(find_violation(cases[i].layer, machine, mapping));
      const double real =
          objective_value(goal.objective, evaluate(cases[i].layer, machine, mapping), machine);
      EXPECT_NEAR(real, expected, 1e-9 * expected);
    }
  }
}

TEST(ProvedOptima, AreFoundForTinyCases) { expect_optima("tiny.json"); }
TEST(ProvedOptima, AreFoundForCasesWithGroups) { expect_optima("groups.json"); }
TEST(ProvedOptima, AreFoundForResnetExamples) { expect_optima("examples.json"); }

}  // namespace
}  // namespace nestor::cim::tiny_optima_test
