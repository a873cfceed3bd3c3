// Tests that compare the evaluator of the chip space with every figure of the reference cases.
#include "model/chip/evaluate.h"

#include <gtest/gtest.h>

#include "report/results/chip/evaluation_json.h"
#include "support/chip_reference.h"

namespace nestor::tests::evaluate_test {
namespace {

TEST(ChipEvaluate, ReproducesEveryFigureOfTheTinyReferenceCases) {
  const auto path = chip_reference("tiny.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto cases = io::Json::parse(std::ifstream(path));
  ASSERT_EQ(cases.size(), 20U);
  std::size_t figures = 0;
  for (const auto& reference : cases) {
    const std::string name = reference["network"]["name"];
    const auto tested = chip_case(reference["architecture"], reference["network"]);
    EXPECT_FALSE(chip::admit(tested.machine, tested.network)) << name;
    const auto problem = chip::make_problem(tested.machine, tested.network);
    const auto decisions = chip_decisions(tested, reference["decisions"]);
    const auto violation = chip::find_violation(problem, decisions);
    EXPECT_FALSE(violation) << name << ": " << violation->message;
    const auto found = io::chip_evaluation_to_json(chip::evaluate(problem, decisions), tested.network);
    EXPECT_EQ(difference(reference["evaluation"], found), "") << name;
    figures += reference["evaluation"].flatten().size();

    const auto& optimum = reference["proved_optimal"];
    const auto least = [&](const char* key) {
      return chip::evaluate(problem, chip_decisions(tested, reference[key]));
    };
    if (reference.contains("least_energy_decisions")) {
      EXPECT_DOUBLE_EQ(least("least_energy_decisions").energy_pj, optimum["energy_pj"].get<double>()) << name;
    }
    if (reference.contains("least_peak_decisions")) {
      const auto peak = least("least_peak_decisions");
      EXPECT_NEAR(peak.peak_power, optimum["peak_power"].get<double>(), 1e-9 * peak.peak_power) << name;
      EXPECT_LE(peak.latency_cycles, optimum["limit_cycles"].get<Int>()) << name;
    }
    EXPECT_EQ(chip::evaluate(problem, decisions).latency_cycles, optimum["latency_cycles"].get<Int>())
        << name;
  }
  EXPECT_GT(figures, 1000U);
}

TEST(ChipEvaluate, ReproducesTheProvedSchedulesOfTheCrossbarTable) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  std::size_t schedules = 0;
  for (const auto& result : table["results"]) {
    if (!result.contains("proved")) continue;
    const auto tested = chip_case(table["machines"][result["machine"].get<std::string>()],
                                  table["networks"][result["network"].get<std::string>()]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    for (const auto& [level, proved] : result["proved"].items()) {
      const auto decisions = chip_decisions(tested, proved["decisions"]);
      EXPECT_FALSE(chip::find_violation(problem, decisions));
      const auto found = chip::evaluate(problem, decisions);
      const std::string name = tested.network.name + " " + level;
      EXPECT_EQ(found.latency_cycles, proved["latency_cycles"].get<Int>()) << name;
      EXPECT_EQ(found.cores, proved["cores"].get<Int>()) << name;
      EXPECT_EQ(found.peak_crossbars, proved["peak_crossbars"].get<Int>()) << name;
      ++schedules;
    }
  }
  EXPECT_GE(schedules, 9U);
}

}  // namespace
}  // namespace nestor::tests::evaluate_test
