// Tests that compare the searches of one segment with a list of all its schedules. Networks are chains with
// joins, whose operators compete for few cores, so that nodes must be split. Few steps keep the bounds weak;
// trial splits are on or off. NESTOR_CHIP_CASES and NESTOR_CHIP_SEED set the number of cases and the first
// seed.
#include "model/chip/search/segment_search.h"

#include <gtest/gtest.h>

#include "model/chip/evaluate.h"
#include "model/chip/search/priced_search.h"
#include "model/chip/search/segment_graph.h"
#include "support/chip_cases.h"
#include "support/setting.h"

namespace nestor::tests::segment_search_test {
namespace {

constexpr double most_schedules = 20'000;

chip::ChipMachine random_machine(Random& random) {
  chip::ChipMachine machine;
  machine.mode = random.chance(0.8) ? chip::Mode::WLM : chip::Mode::CM;
  machine.crossbars = {1, random.between(1, 6)};
  machine.cell.rows = machine.cell.columns = 16;
  machine.cell.parallel_rows = 4;
  machine.chip_alu = random.chance(0.5) ? 0 : 16;
  machine.l0.bandwidth = random.chance(0.3) ? 0 : random.chance(0.3) ? 512 : 16;
  machine.cell.write_cycles = random.between(0, 8);
  machine.l0.hidden = random.chance(0.7);
  return machine;
}

// Returns a chain of operators. Some have half the rows of the previous operator, and some also read an
// earlier operator.
chip::ChipNetwork random_network(Random& random) {
  chip::ChipNetwork network;
  const Int channels = random.between(1, 4);
  Int rows = random.between(6, 12);
  network.inputs.push_back({"input", rows, rows, channels});
  const Int count = random.between(4, 8);
  for (Int i = 0; i < count; ++i) {
    chip::Operator op;
    op.name = "o" + std::to_string(i);
    const bool halves = i > 0 && rows > 3 && random.chance(0.3);
    if (halves) rows = (rows + 1) / 2;
    op.rows = op.width = rows;
    op.channels = op.in_channels = channels;
    op.row_in = op.width * channels;
    const auto before = network.tensors() - 1;
    op.inputs.push_back({before, {halves ? 2 : 1, random.chance(0.4) ? 1 : 0, 1}, false});
    const double kind = random.unit();
    if (kind < 0.1 && before > 1) {
      // The factor is written from the output of an earlier operator.
      op.kind = chip::OperatorKind::product;
      op.matrix = {channels, channels, 1};
      op.alu_ops = random.between(1, 40) * op.width * channels;
      op.inputs.push_back({static_cast<std::size_t>(random.between(1, static_cast<Int>(before))), {}, true});
    } else if (kind < 0.3) {
      op.alu_ops = op.width * channels;
      const auto other = before - 1;
      const bool joins = before > 0 && !network.is_input(other) && !halves &&
                         network.operators[network.producer(other)].rows == rows;
      if (joins) op.inputs.push_back({other, {1, 0, 1}, false});
    } else {
      op.kind = chip::OperatorKind::array;
      op.matrix = {random.between(1, 2) * 9 * channels, channels, 1};
    }
    network.operators.push_back(op);
  }
  network.outputs.push_back(network.operators.size() - 1);
  return network;
}

struct Sample {
  chip::ChipMachine machine;
  chip::ChipNetwork network;
  chip::Levels levels;
};
// Returns a random network, a machine with few cores, and levels that a search may use.
Sample random_sample(Random& random, const chip::Energies& energies) {
  Sample sample{random_machine(random), {}, {}};
  sample.machine.energy = energies;
  sample.network = random_network(random);
  sample.machine.cores = {1, static_cast<Int>(sample.network.operators.size()) * random.between(2, 6)};
  sample.levels = chip::allowed({random.chance(0.5), random.chance(0.5)}, sample.machine.mode);
  return sample;
}

// Calls visit(cycles, energy) for every choice of options that fits the chip. Returns false if there are too
// many choices.
template <typename Visit>
bool each_schedule(const chip::ChipProblem& problem, chip::Levels levels, const chip::OptionTable& options,
                   const Visit& visit) {
  double count = 1;
  for (const auto& list : options) count *= static_cast<double>(list.size());
  if (count > most_schedules) return false;
  std::vector<std::size_t> chosen(options.size(), 0);
  for (bool more = count > 0; more;) {
    chip::Decisions decisions{.levels = levels, .segments = {{0, problem.size() - 1, true}}, .operators = {}};
    Int cores = 0;
    double energy = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto& option = options[i][chosen[i]];
      decisions.operators.push_back(option.decision);
      cores += option.cores;
      energy += option.energy;
    }
    if (cores <= problem.machine.cores.count())
      visit(chip::evaluate(problem, decisions).latency_cycles, energy);
    more = false;
    for (std::size_t i = 0; i < options.size() && !more; ++i) {
      more = ++chosen[i] < options[i].size();
      if (!more) chosen[i] = 0;
    }
  }
  return true;
}

chip::SegmentOptions random_settings(Random& random) {
  chip::SegmentOptions settings;
  settings.root_steps = static_cast<int>(random.between(1, 6));
  settings.dual_steps = static_cast<int>(random.between(1, 5));
  settings.linear_program = random.chance(0.9);
  settings.width = static_cast<std::size_t>(random.between(1, 4));
  settings.trial_splits = random.chance(0.3) ? 0 : static_cast<std::size_t>(random.between(1, 8));
  settings.trial_steps = static_cast<int>(random.between(1, 3));
  // Labels would close every node of this size. Without them, or without enough steps, nodes are split.
  settings.root_label_effort = settings.label_effort = 0;
  if (random.chance(0.3)) settings.root_label_effort = static_cast<std::uint64_t>(random.between(1, 20'000));
  if (random.chance(0.3)) settings.label_effort = static_cast<std::uint64_t>(random.between(1, 5'000));
  settings.repair_after = random.chance(0.5) ? 0 : 1000;
  return settings;
}

TEST(ChipSegmentSearch, FindsTheLeastOfAllSchedules) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 2000);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; checked < cases && seed < first + 100 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto sample = random_sample(random, {});
    const auto problem = chip::make_problem(sample.machine, sample.network);
    const auto levels = sample.levels;
    Int least = chip::SegmentSearch::never;
    const auto options = chip::latency_options(problem, levels);
    if (!each_schedule(problem, levels, options,
                       [&](Int cycles, double /*energy*/) { least = std::min(least, cycles); }))
      continue;
    ++checked;
    chip::SegmentSearch search(problem, 0, problem.size() - 1, options, random_settings(random));
    ASSERT_EQ(search.feasible(), least < chip::SegmentSearch::never);
    if (!search.feasible()) {
      ++coverage["does not fit"];
      continue;
    }
    const auto executor = make_executor(ExecutorKind::serial, 1);
    for (int round = 0; !search.done(); ++round) {
      ASSERT_LT(round, 10'000);
      search.advance(*executor, chip::SegmentSearch::never, StopSource());
      ASSERT_LE(search.bound(), least);
      ASSERT_GE(search.best(), least);
    }
    ASSERT_EQ(search.best(), least);
    const chip::Decisions decisions{
        .levels = levels, .segments = {{0, problem.size() - 1, true}}, .operators = search.decisions()};
    EXPECT_FALSE(chip::find_violation(problem, decisions));
    EXPECT_EQ(chip::evaluate(problem, decisions).latency_cycles, least);
    bool gated = false;
    for (const auto& op : sample.network.operators) gated |= op.kind == chip::OperatorKind::product;
    coverage["gated, closed by labels"] += static_cast<int>(gated && search.counts().listed > 0);
    coverage["splits"] += static_cast<int>(search.counts().nodes > 1);
    coverage["many nodes"] += static_cast<int>(search.counts().nodes > 8);
    coverage["splits on trial"] += static_cast<int>(search.counts().tried > 0);
    coverage["closed by labels"] += static_cast<int>(search.counts().listed > 0);
    coverage["too many labels"] += static_cast<int>(search.counts().listed < search.counts().labelled);
    coverage["splits on trial, several nodes"] +=
        static_cast<int>(search.counts().tried > 0 && search.counts().nodes > 4);
  }
  EXPECT_EQ(checked, cases);
  for (const auto& [feature, count] : coverage) RecordProperty(feature, count);
  for (const auto* feature : {"splits", "many nodes", "splits on trial", "splits on trial, several nodes",
                              "closed by labels", "gated, closed by labels", "too many labels"})
    EXPECT_GT(coverage[feature], 0) << feature;
}

// Checks the search for the least price under limits on the end and on the energy of a schedule.
TEST(ChipPricedSearch, FindsTheLeastPriceOfAllSchedules) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 300);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; checked < cases && seed < first + 100 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    chip::Energies energies;
    for (double* const energy :
         {&energies.crossbar, &energies.l0, &energies.l1, &energies.alu, &energies.write})
      *energy = static_cast<double>(random.between(0, 40)) / 8;
    const auto sample = random_sample(random, energies);
    const auto problem = chip::make_problem(sample.machine, sample.network);
    const auto levels = sample.levels;
    chip::OptionFigures figures;
    figures.energy = figures.several = true;
    const auto options = chip::latency_options(problem, levels, figures);
    std::vector<std::pair<Int, double>> all;
    if (!each_schedule(problem, levels, options,
                       [&](Int cycles, double energy) { all.emplace_back(cycles, energy); }) ||
        all.empty())
      continue;
    ++checked;
    for (int draw = 0; draw < 3; ++draw) {
      const auto& [cycles, energy] = all[random.below(all.size())];
      chip::PricedGoal goal;
      goal.energy = random.chance(0.5);
      goal.per_cycle = !goal.energy || random.chance(0.5) ? random.unit() * 100 : 0;
      if (random.chance(0.4)) goal.latest = cycles;
      if (random.chance(0.6)) goal.most_energy = energy;
      double least = std::numeric_limits<double>::infinity();
      for (const auto& [end, spent] : all)
        if (end <= goal.latest && spent <= goal.most_energy)
          least = std::min(least, (goal.energy ? spent : 0) + goal.per_cycle * static_cast<double>(end));
      const auto found =
          chip::search_priced(problem, {0, problem.size() - 1, true}, options, goal, 10'000, StopSource());
      ASSERT_TRUE(found.complete);
      EXPECT_NEAR(found.price, least, 1e-9 * least);
      EXPECT_NEAR(found.bound, least, 1e-9 * least);
      coverage["several nodes"] += static_cast<int>(found.nodes > 1);
      coverage["limit on energy"] += static_cast<int>(goal.most_energy == energy);
      coverage["limit on the end"] += static_cast<int>(goal.latest == cycles);
    }
  }
  EXPECT_EQ(checked, cases);
  for (const auto* feature : {"several nodes", "limit on energy", "limit on the end"})
    EXPECT_GT(coverage[feature], 20) << feature;
}

// Checks SegmentGraph::with, which computes from heads and tails the longest path through one operator at
// another speed. The path is never longer than the schedule with that speed. At the current speeds, the
// longest path over all operators is as long as the schedule.
TEST(ChipSegmentGraph, PathThroughOneOperatorIsNeverLongerThanTheSchedule) {
  std::uint64_t below = 0;
  std::uint64_t changed = 0;
  constexpr std::uint64_t cases = 300;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto machine = random_machine(random);
    const auto network = random_network(random);
    const auto problem = chip::make_problem(machine, network);
    const chip::SegmentGraph graph(problem, 0, problem.size() - 1);
    const auto random_speed = [&] {
      return chip::Speed{random.between(1, 30), random.between(1, 4), random.between(0, 9),
                         random.between(0, 9), random.between(0, 9)};
    };
    std::vector<chip::Speed> speeds;
    for (std::size_t op = 0; op < graph.size(); ++op) speeds.push_back(random_speed());
    chip::SegmentTimes times;
    const Int schedule = graph.heads(speeds, times);
    graph.tails(speeds, times);
    std::vector<Int> scratch;
    Int longest = 0;
    for (std::size_t op = 0; op < graph.size(); ++op) {
      longest = std::max(longest, graph.with(op, speeds[op], times, scratch));
      auto other = speeds;
      other[op] = random_speed();
      chip::SegmentTimes anew;
      const Int real = graph.heads(other, anew);
      const Int way = graph.with(op, other[op], times, scratch);
      ASSERT_LE(way, real) << "operator " << op;
      below += static_cast<std::uint64_t>(way < real);
      changed += static_cast<std::uint64_t>(real != schedule);
    }
    ASSERT_EQ(longest, schedule);
  }
  EXPECT_GT(below, cases / 20);
  EXPECT_GT(changed, cases);
}

}  // namespace
}  // namespace nestor::tests::segment_search_test
