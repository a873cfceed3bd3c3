// Tests that compare streams (docs/models/chip.md, section 5) with the figures of the reference cases and
// with the paper's Fig. 12. The same decisions never take longer with a stream than without.
// NESTOR_CHIP_CASES sets the number of random cases.
#include "model/chip/stream.h"

#include <gtest/gtest.h>

#include "report/results/chip/evaluation_json.h"
#include "support/chip_cases.h"
#include "support/chip_reference.h"
#include "support/setting.h"

namespace nestor::tests::stream_test {
namespace {

TEST(ChipStream, ReproducesEveryFigureOfTheReferenceCases) {
  const auto path = chip_reference("mvm.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto cases = io::Json::parse(std::ifstream(path));
  ASSERT_EQ(cases.size(), 20U);
  std::size_t figures = 0;
  for (const auto& reference : cases) {
    const std::string name = reference["network"]["name"];
    const auto tested = chip_case(reference["architecture"], reference["network"]);
    EXPECT_FALSE(chip::admit(tested.machine, tested.network)) << name;
    const auto problem = chip::make_problem(tested.machine, tested.network);
    const auto expect_figures = [&](const char* decisions_key, const char* evaluation_key) {
      const auto decisions = chip_decisions(tested, reference[decisions_key]);
      const auto violation = chip::find_violation(problem, decisions);
      EXPECT_FALSE(violation) << name << ": " << violation->message;
      const auto found = chip::evaluate(problem, decisions);
      if (evaluation_key != nullptr) {
        EXPECT_EQ(difference(reference[evaluation_key], io::chip_evaluation_to_json(found, tested.network)),
                  "")
            << name << " " << evaluation_key;
        figures += reference[evaluation_key].flatten().size();
      }
      return found;
    };
    const auto& optimum = reference["proved_optimal"];
    EXPECT_EQ(expect_figures("decisions", "evaluation").latency_cycles, optimum["latency_cycles"].get<Int>());
    EXPECT_NEAR(expect_figures("least_energy_decisions", nullptr).energy_pj,
                optimum["energy_pj"].get<double>(), 1e-9 * optimum["energy_pj"].get<double>())
        << name;
    const auto peak = expect_figures("least_peak_decisions", "least_peak_evaluation");
    EXPECT_NEAR(peak.peak_power, optimum["peak_power"].get<double>(), 1e-9 * peak.peak_power) << name;
    EXPECT_LE(peak.latency_cycles, optimum["limit_cycles"].get<Int>()) << name;
  }
  EXPECT_GT(figures, 1000U);
}

// Fig. 12 of CIM-MLC: a 1 x 1 convolution on 4 x 2 pixels on two crossbars, then 2 x 2 with stride 2 on four.
TEST(ChipStream, MatchesTheFigureOfThePaper) {
  const auto machine = io::Json::parse(R"({"name": "fig12", "kind": "chip", "mode": "XBM",
    "chip": {"cores": 6}, "core": {"crossbars": 1},
    "crossbar": {"size": [8, 2], "dac": 8, "cell_bits": 8}, "energy": {"crossbar": 1}})");
  const auto network = io::Json::parse(R"({"name": "fig12", "kind": "chip-network",
    "inputs": [{"name": "image", "rows": 4, "width": 2, "channels": 4}], "operators": [
    {"name": "first", "kind": "array", "rows": 4, "width": 2, "channels": 4, "in_channels": 4, "row_in": 8,
     "matrix": {"rows": 4, "columns": 4},
     "inputs": [{"from": "image", "need": [1, 0, 1], "pixels": [1, 0, 1]}]},
    {"name": "second", "kind": "array", "rows": 2, "width": 1, "channels": 4, "in_channels": 4, "row_in": 16,
     "matrix": {"rows": 16, "columns": 4},
     "inputs": [{"from": "first", "need": [2, 1, 1], "pixels": [2, 1, 1], "taps": [2, 1]}]}]})");
  const auto tested = chip_case(machine, network);
  const auto problem = chip::make_problem(tested.machine, tested.network);
  chip::Decisions decisions{{true, false, true}, {{0, 1, true}}, {{}, {}}};
  ASSERT_FALSE(chip::find_violation(problem, decisions));
  const auto rows = chip::evaluate(problem, decisions);
  EXPECT_EQ(rows.operators[1].start, 4);
  EXPECT_EQ(rows.operators[1].first_row, 5);
  EXPECT_EQ(rows.latency_cycles, 9);
  EXPECT_EQ(rows.peak_crossbars, 6);

  decisions.segments[0].stream = true;
  decisions.operators[1].phases = 2;
  ASSERT_FALSE(chip::find_violation(problem, decisions));
  const auto stream = chip::evaluate(problem, decisions);
  EXPECT_EQ(stream.operators[1].start, 2);
  EXPECT_EQ(stream.operators[1].run, 3);
  EXPECT_EQ(stream.operators[1].first_row, 5);
  EXPECT_EQ(stream.latency_cycles, 9);
  EXPECT_EQ(stream.peak_crossbars, 4);
  EXPECT_DOUBLE_EQ(stream.peak_power, 4);
}

TEST(ChipStream, RequiresTheStreamLevel) {
  const auto sample = random_chip_case(1);
  ASSERT_TRUE(sample && sample->problem);
  const std::size_t last = sample->network.operators.size() - 1;
  chip::Decisions decisions{{}, {{0, last, true, true}}, {}};
  decisions.operators.resize(last + 1);
  const auto violation = chip::find_violation(*sample->problem, decisions);
  ASSERT_TRUE(violation);
  EXPECT_NE(violation->message.find("is a stream"), std::string::npos) << violation->message;
}

TEST(ChipStream, IsNeverLongerThanTheSameDecisionsPipelined) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 2000);
  std::uint64_t checked = 0;
  Coverage coverage;
  for (std::uint64_t seed = 1; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem || !sample->decisions.levels.mvm) continue;
    ++checked;
    auto decisions = sample->decisions;
    const auto rows = chip::evaluate(*sample->problem, decisions);
    decisions.levels.stream = true;
    for (auto& segment : decisions.segments) segment.stream = segment.pipeline;
    ASSERT_FALSE(chip::find_violation(*sample->problem, decisions)) << seed;
    const auto stream = chip::evaluate(*sample->problem, decisions);
    ASSERT_LE(stream.latency_cycles, rows.latency_cycles) << "seed " << seed;
    coverage["shorter"] += static_cast<int>(stream.latency_cycles < rows.latency_cycles);
    for (std::size_t i = 0; i < sample->problem->size(); ++i) {
      coverage["first step ahead"] += static_cast<int>(stream.operators[i].run > stream.operators[i].start);
      coverage["phases"] += static_cast<int>(decisions.operators[i].phases > 1);
    }
  }
  for (const char* feature : {"shorter", "first step ahead", "phases"})
    EXPECT_GT(coverage[feature], 20) << feature;
}

}  // namespace
}  // namespace nestor::tests::stream_test
