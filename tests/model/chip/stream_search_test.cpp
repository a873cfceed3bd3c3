// Tests that compare the exact search for streams with the optima of the reference cases and with all
// decisions of random small networks, one by one. Other tests check the claims of its relaxation
// (model/chip/search/stream_graph.cpp). Costs come from chip::evaluate. NESTOR_CHIP_CASES and
// NESTOR_CHIP_SEED set the number of cases and the first seed.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "mapper/chip/incumbents.h"
#include "model/chip/search/compile.h"
#include "model/chip/search/segment_graph.h"
#include "support/chip_cases.h"
#include "support/chip_decisions.h"
#include "support/chip_reference.h"
#include "support/setting.h"

namespace nestor::tests::stream_search_test {
namespace {

using chip::CompileObjective;
using chip::Decisions;

constexpr std::array objectives = {CompileObjective::latency, CompileObjective::energy,
                                   CompileObjective::peak_power};

chip::CompileOutcome search(const chip::ChipProblem& problem, const chip::CompileRequest& request) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  const StopSource stop;
  return chip::compile(problem, request, {}, *executor, stop);
}

void expect_optimum(const chip::ChipProblem& problem, const chip::CompileRequest& request, double best) {
  const auto found = search(problem, request);
  if (best == std::numeric_limits<double>::infinity()) {
    EXPECT_EQ(found.status, Status::infeasible);
    return;
  }
  const double tolerance = 1e-9 * std::abs(best);
  ASSERT_EQ(found.status, Status::optimal);
  ASSERT_TRUE(found.best);
  ASSERT_FALSE(chip::find_violation(problem, *found.best));
  const auto figures = chip::evaluate(problem, *found.best);
  EXPECT_NEAR(chip::figure_of(figures, request.objective), best, tolerance);
  EXPECT_NEAR(found.bound, best, tolerance);
  EXPECT_TRUE(chip::keeps(figures, request.limits));
}

TEST(ChipStreamSearch, FindsTheOptimaOfTheReferenceCases) {
  const auto path = chip_reference("mvm.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  for (const auto& reference : io::Json::parse(std::ifstream(path))) {
    SCOPED_TRACE(reference["network"]["name"].get<std::string>());
    const auto tested = chip_case(reference["architecture"], reference["network"]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    chip::CompileRequest request;
    for (const bool streams : {true, false}) {
      request.levels = chip_decisions(tested, reference["decisions"]).levels;
      request.levels.stream = streams;
      const auto& optimum = reference[streams ? "proved_optimal" : "without_stream"];
      request.limits = {};
      request.objective = CompileObjective::latency;
      expect_optimum(problem, request, optimum["latency_cycles"].get<double>());
      if (streams) {
        request.objective = CompileObjective::energy;
        expect_optimum(problem, request, optimum["energy_pj"].get<double>());
      }
      request.objective = CompileObjective::peak_power;
      request.limits.latency = optimum["limit_cycles"].get<Int>();
      expect_optimum(problem, request, optimum["peak_power"].get<double>());
    }
  }
}

TEST(ChipStreamSearch, FindsTheBestOfAllDecisions) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 200);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; checked < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem || sample->machine.mode == chip::Mode::CM) continue;
    Random random(seed);
    auto machine = sample->machine;
    for (double* energy : {&machine.energy.crossbar, &machine.energy.alu, &machine.energy.l0,
                           &machine.energy.noc, &machine.energy.write, &machine.energy.leakage})
      *energy = random.chance(0.3) ? 0 : static_cast<double>(random.between(1, 40)) / 8;
    if (random.chance(0.5)) machine.chip_noc = {};
    const auto problem = chip::make_problem(machine, sample->network);
    const auto levels = chip::allowed({true, random.chance(0.6), true}, machine.mode);
    std::vector<chip::ChipEvaluation> all;
    Int shortest = std::numeric_limits<Int>::max();
    bool is_stream = false;  // true if all shortest schedules have streams
    bool has_phases = false;
    const bool listed = each_chip_decision(
        problem, levels, [&](const Decisions& decisions, const chip::ChipEvaluation& figures) {
          chip::ChipEvaluation totals;
          totals.latency_cycles = figures.latency_cycles;
          totals.energy_pj = figures.energy_pj;
          totals.peak_power = figures.peak_power;
          all.push_back(totals);
          bool stream = false;
          bool phases = false;
          for (const auto& segment : decisions.segments) stream |= segment.stream;
          for (const auto& op : decisions.operators) phases |= op.phases > 1;
          if (figures.latency_cycles < shortest) is_stream = has_phases = true;
          if (figures.latency_cycles > shortest) return;
          shortest = figures.latency_cycles;
          is_stream &= stream;
          has_phases &= phases;
        });
    if (!listed) continue;
    ++checked;
    coverage["only streams are shortest"] += static_cast<int>(!all.empty() && is_stream);
    coverage["only phases are shortest"] += static_cast<int>(!all.empty() && has_phases);
    for (int draw = 0; draw < 5; ++draw) {
      chip::CompileRequest request;
      request.levels = levels;
      request.objective = objectives[static_cast<std::size_t>(draw % 3)];
      if (draw >= 3 && !all.empty()) {
        const auto& some = all[random.below(all.size())];
        if (random.chance(0.6)) request.limits.latency = some.latency_cycles;
        if (random.chance(0.4)) request.limits.energy = some.energy_pj;
        if (random.chance(0.4)) request.limits.peak_power = some.peak_power;
      }
      double best = std::numeric_limits<double>::infinity();
      for (const auto& figures : all)
        if (chip::keeps(figures, request.limits))
          best = std::min(best, chip::figure_of(figures, request.objective));
      expect_optimum(problem, request, best);
      // The bound of a search that stops early is valid.
      request.work_limit = 3;
      const auto stopped = search(problem, request);
      EXPECT_LE(stopped.bound, best * (1 + 1e-9));
      if (HasFailure()) return;
    }
  }
  for (const char* feature : {"only streams are shortest", "only phases are shortest"})
    EXPECT_GT(coverage[feature], 0) << feature;
}

// A convolution between two slow operators: in a stream, its row of two phases starts earlier and delivers
// its first pixel earlier than the row of one phase, with the same cores, crossbars and energy.
TEST(ChipStreamSearch, UsesASlowerRowThatStartsEarlier) {
  const auto machine = io::Json::parse(R"({"name": "m", "kind": "chip", "mode": "XBM", "chip": {"cores": 1,
    "alu": 1}, "core": {"crossbars": 2}, "crossbar": {"size": [2, 4], "dac": 8, "cell_bits": 8},
    "energy": {"crossbar": 1}})");
  const auto network = io::Json::parse(R"({"name": "n", "kind": "chip-network",
    "inputs": [{"name": "image", "rows": 1, "width": 8, "channels": 4}], "operators": [
    {"name": "first", "kind": "alu", "rows": 1, "width": 8, "channels": 4, "in_channels": 4, "row_in": 32,
     "alu_ops": 32, "inputs": [{"from": "image", "need": [1, 0, 1], "pixels": [1, 0, 1]}]},
    {"name": "second", "kind": "array", "rows": 1, "width": 8, "channels": 4, "in_channels": 4, "row_in": 32,
     "matrix": {"rows": 4, "columns": 4},
     "inputs": [{"from": "first", "need": [1, 0, 1], "pixels": [1, 0, 1]}]},
    {"name": "third", "kind": "alu", "rows": 1, "width": 8, "channels": 4, "in_channels": 4, "row_in": 32,
     "alu_ops": 32, "inputs": [{"from": "second", "need": [1, 0, 1], "pixels": [1, 0, 1]}]}]})");
  const auto tested = chip_case(machine, network);
  const auto problem = chip::make_problem(tested.machine, tested.network);
  chip::Decisions decisions{{true, false, true}, {{0, 2, true, true}}, {{}, {}, {}}};
  decisions.operators[1].on_array = true;
  const auto one = chip::evaluate(problem, decisions);
  decisions.operators[1].phases = 2;
  const auto two = chip::evaluate(problem, decisions);
  EXPECT_LT(two.operators[1].run, one.operators[1].run);
  ASSERT_LT(two.latency_cycles, one.latency_cycles);
  ASSERT_EQ(two.energy_pj, one.energy_pj);
  chip::CompileRequest request;
  request.levels = decisions.levels;
  request.objective = CompileObjective::energy;
  request.limits.latency = two.latency_cycles;
  expect_optimum(problem, request, two.energy_pj);
}

// Checks the relaxation on random decisions. Relaxed times are no later than the real times. The longest path
// is as long as the relaxed schedule. Under other decisions, the same path is no longer than their real
// schedule. This also holds for a path through one operator at another speed. For every decision of an
// operator, some option needs no more cores and no more time in any respect.
TEST(ChipStreamGraph, IsALowerBoundOnEveryStream) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 2000);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = 1; checked < cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem || sample->machine.mode == chip::Mode::CM) continue;
    ++checked;
    Random random(seed);
    auto machine = sample->machine;
    machine.l0.shared = machine.alu_shared = false;
    machine.chip_noc = {};
    const auto problem = chip::make_problem(machine, sample->network);
    const auto levels = chip::allowed({true, true, true}, machine.mode);
    const std::size_t last = problem.size() - 1;
    const chip::SegmentGraph graph(problem, 0, last, true);
    const auto table = chip::latency_options(problem, levels);
    struct Drawn {
      std::vector<chip::Speed> speeds;
      Int schedule = 0;
    };
    // The drawn decisions need not fit the chip together.
    const auto draw = [&] {
      Decisions decisions{levels, {{0, last, true, true}}, {}};
      Drawn drawn;
      for (std::size_t i = 0; i <= last; ++i) {
        const auto& op = problem.network.operators[i];
        const auto& layout = problem.facts[i].layout;
        chip::OperatorDecision decision;
        decision.on_array = op.kind == chip::OperatorKind::product && problem.facts[i].may_use_array;
        if (op.kind == chip::OperatorKind::array || decision.on_array) {
          decision.copies = random.between(1, std::min<Int>(op.rows * op.width, random.chance(0.5) ? 3 : 12));
          decision.parts = levels.vvm ? random.between(layout.least_parts,
                                                       std::min(layout.most_parts, layout.least_parts + 5))
                                      : layout.least_parts;
          decision.phases = random.between(1, decision.parts);
        }
        auto pace = chip::timing_of(problem, i, decision, levels);
        pace.in = pace.stream_in;
        drawn.speeds.push_back(chip::speed_of(pace));
        decisions.operators.push_back(decision);
        if (pace.cores > machine.cores.count()) continue;
        const bool bounded = std::any_of(table[i].begin(), table[i].end(), [&](const auto& option) {
          const auto best = chip::best_of(chip::speed_of(option), drawn.speeds.back());
          auto speed = chip::speed_of(option);
          speed.gate = std::min(speed.gate, drawn.speeds.back().gate);
          return option.cores <= pace.cores && best == speed;
        });
        EXPECT_TRUE(bounded) << "operator " << i;
      }
      drawn.schedule = chip::evaluate(problem, decisions).segments[0].schedule_cycles;
      return drawn;
    };
    const Drawn one = draw();
    chip::SegmentTimes times;
    const Int relaxed = graph.heads(one.speeds, times);
    ASSERT_LE(relaxed, one.schedule);
    coverage["equal"] += static_cast<int>(relaxed == one.schedule);
    const auto path = graph.longest_path(one.speeds, times);
    Int length = 0;
    for (std::size_t k = 0; k < graph.size(); ++k) length += path.length(k, one.speeds[k]);
    ASSERT_EQ(length, relaxed);
    for (std::size_t k = 0; k < graph.size(); ++k) {
      coverage["enters at pixels"] +=
          static_cast<int>(path.rows[k] > 0 && path.entry[k] == chip::StreamEntry::pixels);
      coverage["enters at the end"] +=
          static_cast<int>(path.rows[k] > 0 && path.entry[k] == chip::StreamEntry::end);
      coverage["enters at the end and leaves early"] += static_cast<int>(
          path.rows[k] > 0 && path.entry[k] == chip::StreamEntry::end && path.leaves_early[k] != 0);
    }
    graph.tails(one.speeds, times);
    std::vector<Int> scratch;
    Int longest = 0;
    for (std::size_t k = 0; k < graph.size(); ++k)
      longest = std::max(longest, graph.with(k, one.speeds[k], times, scratch));
    ASSERT_EQ(longest, relaxed);
    for (int other = 0; other < 4; ++other) {
      const Drawn two = draw();
      length = 0;
      for (std::size_t k = 0; k < graph.size(); ++k) length += path.length(k, two.speeds[k]);
      ASSERT_LE(length, two.schedule);
      coverage["the path is all of another"] += static_cast<int>(length == two.schedule);
      std::vector<chip::Speed> best;
      for (std::size_t k = 0; k < graph.size(); ++k)
        best.push_back(chip::best_of(one.speeds[k], two.speeds[k]));
      chip::SegmentTimes both;
      ASSERT_LE(graph.heads(best, both), std::min(one.schedule, two.schedule));
      graph.tails(best, both);
      for (std::size_t k = 0; k < graph.size(); ++k)
        ASSERT_LE(graph.with(k, two.speeds[k], both, scratch), two.schedule);
    }
    if (HasFailure()) return;
  }
  for (const char* feature : {"equal", "enters at pixels", "enters at the end", "the path is all of another"})
    EXPECT_GT(coverage[feature], 20) << feature;
  EXPECT_GT(coverage["enters at the end and leaves early"], 0);
}

}  // namespace
}  // namespace nestor::tests::stream_search_test
