// Tests of the baselines of the chip space. Cycles must equal those of a table of reference results, and the
// savings must equal the published figures.
#include "heuristics/chip/baselines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/find_data.h"
#include "model/chip/evaluate.h"
#include "model/chip/split.h"
#include "support/chip_reference.h"

namespace nestor::tests::baselines_test {
namespace {

struct TestedMethod {
  const char* key;
  chip::CompileMethod baseline;
  bool balanced;
};
constexpr TestedMethod methods[] = {{"sequential", chip::CompileMethod::sequential, true},
                                    {"pipeline", chip::CompileMethod::pipeline, true},
                                    {"duplication", chip::CompileMethod::duplication, true},
                                    {"cim-mlc", chip::CompileMethod::cim_mlc_code, true},
                                    {"cim-mlc unbalanced", chip::CompileMethod::cim_mlc_code, false},
                                    {"cim-mlc mvm", chip::CompileMethod::cim_mlc_code, true},
                                    {"cim-mlc vvm", chip::CompileMethod::cim_mlc_code, true}};

TEST(ChipBaselines, ReproduceTheTableToTheCycle) {
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
        const std::string op = name_of_op;  // clang 14 cannot capture structured bindings
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

// Cycles that Poly-Schedule and CIM-MLC save relative to `sequential`, in tenths of a per cent.
struct PaperFigures {
  const char* network;
  long poly_schedule;
  long cim_mlc;
  Int cim_mlc_mvm;  ///< cycles of CIM-MLC at the level mvm; 0: no figure is known
};
constexpr PaperFigures paper[] = {{"resnet18-chain", 966, 992, 0},
                                  {"resnet34-chain", 905, 985, 0},
                                  {"resnet50-chain", 894, 990, 68'503},
                                  {"resnet101-chain", 676, 965, 227'717},
                                  {"vgg16-chain", 959, 992, 0}};

TEST(ChipBaselines, PaperMethodsEqualTheReference) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  for (const auto& expected : paper) {
    const auto tested = chip_case(table["machines"]["isaac-table3"], table["networks"][expected.network]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    const auto figures = [&](chip::CompileMethod method, chip::Levels levels) {
      const auto decisions = chip::run_baseline(problem, method, levels);
      EXPECT_TRUE(decisions);
      EXPECT_FALSE(chip::find_violation(problem, *decisions));
      return chip::evaluate(problem, *decisions);
    };
    const Int slowest = figures(chip::CompileMethod::sequential, {}).latency_cycles;
    const auto saved = [&](Int cycles) {
      return std::lround(1000 * (1 - static_cast<double>(cycles) / static_cast<double>(slowest)));
    };
    const auto poly = figures(chip::CompileMethod::poly_schedule, {});
    EXPECT_EQ(saved(poly.latency_cycles), expected.poly_schedule)
        << expected.network << ": interval " << saved(poly.interval_cycles);
    EXPECT_LT(poly.interval_cycles, poly.latency_cycles) << expected.network;
    EXPECT_EQ(saved(figures(chip::CompileMethod::cim_mlc, {}).latency_cycles), expected.cim_mlc)
        << expected.network;
    if (expected.cim_mlc_mvm > 0) {
      EXPECT_EQ(figures(chip::CompileMethod::cim_mlc, {true, false}).latency_cycles, expected.cim_mlc_mvm)
          << expected.network;
    }
  }
}

chip::ChipEvaluation with_cim_mlc(const std::string& machine_name, const std::string& network_name,
                                  chip::Levels levels) {
  const auto machine = io::read_chip_machine(machine_name);
  const auto path = io::find_data(io::chip_networks, network_name);
  auto network = io::parse_chip_network(*io::read_file(*path), network_name);
  EXPECT_FALSE(chip::split(*machine, *network));
  const auto problem = chip::make_problem(*machine, *network);
  const auto decisions = chip::run_baseline(problem, chip::CompileMethod::cim_mlc, levels);
  EXPECT_FALSE(chip::find_violation(problem, *decisions));
  return chip::evaluate(problem, *decisions);
}

// The settings of Figs. 21b and 21c of the CIM-MLC paper. The expected cycles come from an independent
// implementation.
TEST(ChipBaselines, StreamsTakeTheCyclesOfTheReference) {
  constexpr chip::Levels stream{true, false, true};
  constexpr chip::Levels all{true, true, true};
  EXPECT_EQ(with_cim_mlc("isaac-table3", "resnet50-chain", stream).latency_cycles, 43'415);
  EXPECT_EQ(with_cim_mlc("isaac-table3", "resnet50-chain", all).latency_cycles, 39'855);
  EXPECT_EQ(with_cim_mlc("isaac-table3", "resnet101-chain", stream).latency_cycles, 101'117);
}

// Fig. 20b of the CIM-MLC paper: execution of row parts in phases takes no longer and needs 0.29 of the peak
// power.
TEST(ChipBaselines, PhasesLowerThePeakOfPumaAndCostNoCycle) {
  const auto by_rows = with_cim_mlc("puma-fig18", "vgg16-chain", {});
  const auto by_pixels = with_cim_mlc("puma-fig18", "vgg16-chain", {true, false, true});
  EXPECT_EQ(by_rows.latency_cycles, 2'615'184);
  EXPECT_EQ(by_pixels.latency_cycles, 2'612'584);
  EXPECT_NEAR(by_rows.peak_power, 260.9, 0.05);
  EXPECT_NEAR(by_pixels.peak_power, 75.6, 0.05);
}

}  // namespace
}  // namespace nestor::tests::baselines_test
