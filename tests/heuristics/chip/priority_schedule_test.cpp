// Tests of schedules by priorities. They are legal, never slower than the pipeline from which they start,
// deterministic for a seed, and faster than every baseline on many random networks.
#include "heuristics/chip/priority_schedule.h"

#include <gtest/gtest.h>

#include <iostream>
#include <limits>

#include "heuristics/chip/baselines.h"
#include "heuristics/chip/power_schedule.h"
#include "model/chip/search/floors.h"
#include "support/chip_cases.h"
#include "support/chip_reference.h"
#include "support/setting.h"

namespace nestor::tests::priority_schedule_test {
namespace {

Int latency_of(const chip::ChipProblem& problem, const chip::Decisions& decisions) {
  return chip::evaluate(problem, decisions).latency_cycles;
}

// Returns the least latency of the legal baselines.
Int fastest_baseline(const chip::ChipProblem& problem, chip::Levels levels) {
  Int least = std::numeric_limits<Int>::max();
  for (const auto baseline : chip::all_baselines) {
    const auto decisions = chip::run_baseline(problem, baseline, levels);
    if (decisions && !chip::find_violation(problem, *decisions))
      least = std::min(least, latency_of(problem, *decisions));
  }
  return least;
}

TEST(ChipPrioritySchedule, IsLegalRepeatableAndNeverSlowerThanItsStart) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 2000);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  const StopSource stop;
  for (std::uint64_t seed = first; checked < cases && seed < first + 10 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    ++checked;
    const auto& problem = *sample->problem;
    Random random(seed);
    const auto levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, problem.machine.mode);
    const auto start = chip::run_baseline(problem, chip::CompileMethod::pipeline, levels);
    const auto made = chip::priority_schedule(problem, levels, seed, stop);
    ASSERT_TRUE(start);
    ASSERT_EQ(made.has_value(), !chip::find_violation(problem, *start));
    if (!made) {
      ++coverage["no legal start"];
      continue;
    }
    EXPECT_EQ(made->levels, levels);
    const auto violation = chip::find_violation(problem, *made);
    ASSERT_FALSE(violation) << violation->message;
    const Int latency = latency_of(problem, *made);
    const Int before = latency_of(problem, *start);
    ASSERT_LE(latency, before);
    const auto again = chip::priority_schedule(problem, levels, seed, stop);
    ASSERT_TRUE(again);
    ASSERT_EQ(made->operators, again->operators);
    ASSERT_EQ(made->segments, again->segments);
    const Int baseline = fastest_baseline(problem, levels);
    ++coverage["compared"];
    coverage["faster than its start"] += static_cast<int>(latency < before);
    coverage["faster than all baselines"] += static_cast<int>(latency < baseline);
    coverage["slower than a baseline"] += static_cast<int>(latency > baseline);
    coverage["several segments"] += static_cast<int>(made->segments.size() > 1);
    coverage["levels mvm"] += static_cast<int>(levels.mvm);
    coverage["levels vvm"] += static_cast<int>(levels.vvm);
    for (std::size_t i = 0; i < problem.size(); ++i)
      coverage["products on crossbars"] += static_cast<int>(
          made->operators[i].on_array && problem.network.operators[i].kind == chip::OperatorKind::product);
  }
  EXPECT_EQ(checked, cases);
  for (const auto& [feature, count] : coverage) {
    RecordProperty(feature, count);
    std::cout << feature << ": " << count << '\n';
  }
  for (const auto* feature : {"several segments", "levels mvm", "levels vvm", "products on crossbars"})
    EXPECT_GT(coverage[feature], 0) << feature;
  // Measured on 2,000 networks: 25 % of the schedules are faster than every baseline, and 2 % are slower than
  // a baseline (the method does not try to balance operators).
  EXPECT_GE(coverage["faster than all baselines"] * 5, coverage["compared"]);
  EXPECT_LE(coverage["slower than a baseline"] * 20, coverage["compared"]);
}

// Schedules for limited power are legal and repeatable, and most meet limits that sequential operators meet.
TEST(ChipPowerSchedules, AreLegalRepeatableAndMostlyWithinTheLimit) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 500);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  const StopSource stop;
  for (std::uint64_t seed = first; checked < cases && seed < first + 10 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    auto machine = sample->machine;
    machine.energy.crossbar = 1;
    machine.energy.alu = machine.energy.write = 0.125;
    const auto problem = chip::make_problem(machine, sample->network);
    Random random(seed);
    const auto levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, machine.mode);
    const auto base = chip::priority_schedule(problem, levels, seed, stop);
    if (!base) continue;
    ++checked;
    const auto fast = chip::evaluate(problem, *base);
    chip::CompileRequest request;
    request.levels = levels;
    EXPECT_TRUE(chip::power_schedules(problem, request, {*base}, stop).empty());
    const bool least = random.chance(0.5);
    if (least) {
      request.objective = chip::CompileObjective::peak_power;
      request.limits.latency = 2 * fast.latency_cycles;
    } else {
      request.limits.peak_power = 0.6 * fast.peak_power;
    }
    const auto made = chip::power_schedules(problem, request, {*base}, stop);
    const auto again = chip::power_schedules(problem, request, {*base}, stop);
    ASSERT_EQ(made.size(), again.size());
    bool kept = false;
    for (std::size_t m = 0; m < made.size(); ++m) {
      ASSERT_FALSE(chip::find_violation(problem, made[m]));
      EXPECT_EQ(made[m].operators, again[m].operators);
      kept |= chip::keeps(chip::evaluate(problem, made[m]), request.limits);
    }
    // A network without a pipeline shows that the limit is not too low.
    if (!least &&
        !chip::keeps(chip::evaluate(problem, chip::least_power_schedule(problem, levels)), request.limits))
      continue;
    coverage[least ? "least power" : "limited power"] += 1;
    coverage[least ? "least power, kept" : "limited power, kept"] += static_cast<int>(kept);
  }
  EXPECT_EQ(checked, cases);
  for (const auto& [feature, count] : coverage) {
    RecordProperty(feature, count);
    std::cout << feature << ": " << count << '\n';
  }
  EXPECT_GT(2 * coverage["least power, kept"], coverage["least power"]);
  EXPECT_GT(2 * coverage["limited power, kept"], coverage["limited power"]);
}

TEST(ChipPrioritySchedule, StopsWhenAskedAndKeepsItsStart) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  const auto& result = table["results"][0];
  const auto tested = chip_case(table["machines"][result["machine"].get<std::string>()],
                                table["networks"][result["network"].get<std::string>()]);
  const auto problem = chip::make_problem(tested.machine, tested.network);
  StopSource stop;
  stop.interrupt();
  const auto made = chip::priority_schedule(problem, {}, 1, stop);
  const auto start = chip::run_baseline(problem, chip::CompileMethod::pipeline, {});
  ASSERT_TRUE(made && start);
  EXPECT_FALSE(chip::find_violation(problem, *made));
  EXPECT_LE(latency_of(problem, *made), latency_of(problem, *start));
}

TEST(ChipPrioritySchedule, IsFasterThanTheBaselinesOfTheTableAndNearItsOptima) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  const StopSource stop;
  std::size_t optima = 0;
  double furthest = 1;
  double sum = 0;
  for (const auto& result : table["results"]) {
    const auto tested = chip_case(table["machines"][result["machine"].get<std::string>()],
                                  table["networks"][result["network"].get<std::string>()]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    for (const char* level : {"cg", "mvm", "vvm"}) {
      SCOPED_TRACE(tested.network.name + " on " + tested.machine.name + ", " + level);
      const chip::Levels levels{level[0] != 'c', level[0] == 'v'};
      const auto made = chip::priority_schedule(problem, levels, 1, stop);
      ASSERT_TRUE(made);
      EXPECT_FALSE(chip::find_violation(problem, *made));
      const Int latency = latency_of(problem, *made);
      EXPECT_LT(latency, fastest_baseline(problem, levels));
      if (!result.contains("proved") || !result["proved"].contains(level)) continue;
      const auto best = result["proved"][level]["latency_cycles"].get<double>();
      ++optima;
      furthest = std::max(furthest, static_cast<double>(latency) / best);
      sum += static_cast<double>(latency) / best;
    }
  }
  std::cout << optima << " best known: " << furthest << " times at most, "
            << sum / static_cast<double>(optima) << " on average\n";
  EXPECT_GT(optima, 0U);
  EXPECT_LE(furthest, 1.1);
}

}  // namespace
}  // namespace nestor::tests::priority_schedule_test
