// The baselines of the chip space against the reference table, to the cycle.
#include "heuristics/chip/baselines.h"

#include <gtest/gtest.h>

#include "model/chip/evaluate.h"
#include "support/chip_reference.h"

namespace nestor::test {
namespace {

struct TestedMethod {
  const char* key;
  chip::CompileMethod baseline;
  bool balanced;
};
constexpr TestedMethod methods[] = {{"sequential", chip::CompileMethod::sequential, true},
                                    {"pipeline", chip::CompileMethod::pipeline, true},
                                    {"duplication", chip::CompileMethod::duplication, true},
                                    {"cim-mlc", chip::CompileMethod::cim_mlc, true},
                                    {"cim-mlc unbalanced", chip::CompileMethod::cim_mlc, false},
                                    {"cim-mlc mvm", chip::CompileMethod::cim_mlc, true},
                                    {"cim-mlc vvm", chip::CompileMethod::cim_mlc, true}};

TEST(ChipBaselines, AreThoseOfTheTableToTheCycle) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  std::size_t compared = 0;
  for (const auto& result : table["results"]) {
    const auto tested = chip_case(table["machines"][result["machine"].get<std::string>()],
                                  table["networks"][result["network"].get<std::string>()]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    for (const auto& method : methods) {
      const auto& expected = result["methods"][method.key];
      const bool mvm = expected["levels"].size() > 1;
      const bool vvm = expected["levels"].size() > 2;
      const auto decisions = chip::run_baseline(problem, method.baseline, {mvm, vvm}, method.balanced);
      ASSERT_TRUE(decisions);
      EXPECT_FALSE(chip::find_violation(problem, *decisions));
      const auto found = chip::evaluate(problem, *decisions);
      const std::string name = tested.network.name + " on " + tested.machine.name + ", " + method.key;
      EXPECT_EQ(found.latency_cycles, expected["latency_cycles"].get<Int>()) << name;
      EXPECT_EQ(found.segments.size(), expected["segments"].get<std::size_t>()) << name;
      EXPECT_EQ(found.cores, expected["cores"].get<Int>()) << name;
      EXPECT_EQ(found.peak_crossbars, expected["peak_crossbars"].get<Int>()) << name;
      EXPECT_NEAR(found.energy_pj, expected["energy_pj"].get<double>(), 1e-6 * found.energy_pj) << name;
      EXPECT_NEAR(found.peak_power, expected["peak_power"].get<double>(), 1e-6 * found.peak_power) << name;
      for (const auto& [name_of_op, copies] : expected["copies"].items()) {
        const std::string op = name_of_op;  // clang 14 captures no structured binding
        const auto at = std::find_if(tested.network.operators.begin(), tested.network.operators.end(),
                                     [&](const chip::Operator& candidate) { return candidate.name == op; });
        const auto i = static_cast<std::size_t>(at - tested.network.operators.begin());
        EXPECT_EQ(decisions->operators[i].copies, copies.get<Int>()) << name << ", " << op;
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 140U);
}

}  // namespace
}  // namespace nestor::test
