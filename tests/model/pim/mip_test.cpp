// Tests that compare the mixed-integer program of PIM Optimizer with every mapping of tiny cases, with the
// search and, if installed, with CBC.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/mip/pim/formulation.h"
#include "model/pim/legality.h"
#include "model/pim/space/pim_space.h"
#include "solver/engine/engine.h"
#include "support/mip_referee.h"
#include "support/pim_cases.h"
#include "support/setting.h"

namespace nestor::tests::mip_test {
namespace {

using pim::ObjectiveKind;

const std::vector<NestObjective>& objectives() {
  static const std::vector<NestObjective> all = {
      {.kind = ObjectiveKind::latency},
      {.kind = ObjectiveKind::energy},
      {.kind = ObjectiveKind::blended, .latency_weight = 3, .additive_weight = 0.25}};
  return all;
}

PimCase hybrid_case(std::uint64_t seed, Int most_macs) {
  PimCase tiny = random_pim_case(seed, most_macs);
  tiny.machine.row_model = pim::RowModel::hybrid;
  return tiny;
}

bool is_exportable(const pim::PimMachine& machine) {
  return std::none_of(machine.memories.begin(), machine.memories.end(),
                      [](const Memory& memory) { return memory.row > 0 && memory.axes_above > 0; });
}

void expect_known(const pim::PimProgram& made, double expected, const std::string& what) {
  ASSERT_TRUE(made.nest().knows()) << what;
  const auto& program = made.program();
  ASSERT_EQ(program.broken(program.known(), 1e-9), "") << what;
  ASSERT_NEAR(program.objective(program.known()), expected, 1e-9 * std::max(1.0, std::abs(expected))) << what;
}

TEST(PimProgram, ContainsEveryLegalMappingAtItsCost) {
  const std::uint64_t seed = setting("NESTOR_MIP_SEED", 1);
  std::uint64_t compared = 0;
  const std::uint64_t cases = setting("NESTOR_MIP_CASES", 12);
  for (std::uint64_t i = 0; i < 3 * cases; ++i) {
    const PimCase tiny = hybrid_case(seed + i, 16);
    if (!is_exportable(tiny.machine)) continue;
    pim::RowCounter rows;
    std::uint64_t count = 0;
    std::uint64_t taken = 0;
    const auto& objective = objectives()[i % objectives().size()];
    const auto problem = make_problem(tiny.layer, tiny.machine, objective);
    each_pim_mapping(tiny, 60000, [&](const pim::PimMapping& found) {
      if (count++ % 97 != i || taken == 10 || HasFatalFailure()) return;
      ++taken;
      pim::PimMapping mapping = found;
      pim::choose_layouts(problem, mapping, rows);
      const auto evaluation = pim::evaluate(tiny.layer, tiny.machine, mapping, rows);
      const pim::PimProgram made(problem, &mapping, std::nullopt);
      expect_known(made, objective_value(problem.objective, evaluation),
                   "seed " + std::to_string(seed + i) + " mapping " + std::to_string(count - 1));
      ++compared;
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, cases);
}

TEST(PimProgram, HasTheOptimumOfTheSearch) {
  const std::uint64_t seed = setting("NESTOR_MIP_SEED", 1);
  MipReferee solvers;
  for (std::uint64_t i = 0; i < 3 * setting("NESTOR_MIP_CASES", 12); ++i) {
    const PimCase tiny = hybrid_case(seed + i, 12);
    if (!is_exportable(tiny.machine)) continue;
    for (std::size_t k = 0; k < objectives().size(); ++k) {
      const auto problem = make_problem(tiny.layer, tiny.machine, objectives()[k]);
      MemoryBudget memory(std::size_t{1} << 30U);
      const auto space = pim::make_space<HostStorage>(problem);
      const auto executor = make_executor(ExecutorKind::serial, 1);
      StopSource stop;
      const auto outcome = Engine<pim::PimSpace<HostStorage>>(*space, *executor, memory, {}, stop).run();
      if (outcome.best.empty()) continue;
      const auto& best = outcome.best.front();
      const pim::PimProgram made(problem, &best.solution, best.cost);
      const auto what = "seed " + std::to_string(seed + i) + " objective " + std::to_string(k);
      expect_known(made, best.cost, what);
      solvers.judge(made.program(), best.cost, "pim_" + std::to_string(seed + i) + "_" + std::to_string(k),
                    what);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace nestor::tests::mip_test
