// Tests that compare the exact search of the chip space with all decisions of random small networks, one by
// one: every cut, every number of copies, parts and phases, both places for every product. Costs come from
// chip::evaluate, which is tested against reference figures and the timing simulator. The enumeration uses no
// code of the search. NESTOR_CHIP_CASES and NESTOR_CHIP_SEED set the number of cases and the first seed.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <map>

#include "mapper/chip/incumbents.h"
#include "model/chip/search/compile.h"
#include "model/chip/search/options.h"
#include "support/chip_cases.h"
#include "support/chip_decisions.h"
#include "support/setting.h"

namespace nestor::tests::brute_force_test {
namespace {

using chip::CompileObjective;
using chip::Decisions;
using chip::OperatorKind;

struct Best {
  double cost = std::numeric_limits<double>::infinity();
  chip::ChipEvaluation figures;
};

chip::Energies random_energies(Random& random) {
  const auto some = [&] { return random.chance(0.3) ? 0 : static_cast<double>(random.between(1, 40)) / 8; };
  chip::Energies energies;
  for (double* energy : {&energies.crossbar, &energies.adc, &energies.dac, &energies.alu, &energies.l0,
                         &energies.l1, &energies.off_chip, &energies.noc, &energies.write, &energies.leakage})
    *energy = some();
  return energies;
}

void add_features(const chip::ChipProblem& problem, const Best& best, Coverage& coverage) {
  coverage["best: several segments"] += static_cast<int>(best.figures.segments.size() > 1);
  bool copies = false, parts = false, product = false, spill = false, alone = false;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto& figures = best.figures.operators[i];
    copies |= figures.copies > 1;
    parts |= figures.on_array && figures.parts > problem.facts[i].layout.least_parts;
    product |= figures.on_array && problem.network.operators[i].kind == OperatorKind::product;
  }
  for (const auto& segment : best.figures.segments) {
    spill |= segment.spill_cycles > 0;
    alone |= !segment.decision.pipeline;
  }
  coverage["best: copies"] += static_cast<int>(copies);
  coverage["best: more parts than needed"] += static_cast<int>(parts);
  coverage["best: product on crossbars"] += static_cast<int>(product);
  coverage["best: spill"] += static_cast<int>(spill);
  coverage["best: not pipelined"] += static_cast<int>(alone);
}

class ChipBruteForce : public ::testing::Test {
 protected:
  // Expects the search to find `best`, or to report infeasible if no decision is legal, with and without
  // schedules to start from.
  void expect_optimum(const chip::ChipProblem& problem, chip::Levels levels, CompileObjective objective,
                      const chip::FigureLimits& limits, const Best& best) {
    chip::CompileRequest request;
    request.objective = objective;
    request.limits = limits;
    request.levels = levels;
    std::vector<Decisions> incumbents;
    for (const auto baseline : chip::all_baselines)
      if (auto decisions = chip::run_baseline(problem, baseline, levels)) incumbents.push_back(*decisions);
    const auto executor = make_executor(ExecutorKind::serial, 1);
    StopSource stop;
    incumbents = chip::first_schedules(problem, request, std::move(incumbents), stop);
    for (const auto& known : {incumbents, std::vector<Decisions>()}) {
      const auto found = chip::compile(problem, request, known, *executor, stop);
      expect_best(problem, objective, limits, best, found);
    }
    if (best.cost == std::numeric_limits<double>::infinity()) return;
    // The bound of a search that stops early is valid, and its schedule is no better than the best one.
    const double tolerance = 1e-9 * std::abs(best.cost);
    request.work_limit = 3;
    const auto stopped = chip::compile(problem, request, incumbents, *executor, stop);
    EXPECT_LE(stopped.bound, best.cost + tolerance);
    if (stopped.best) {
      EXPECT_GE(stopped.objective, best.cost - tolerance);
    }
  }

 private:
  static void expect_best(const chip::ChipProblem& problem, CompileObjective objective,
                          const chip::FigureLimits& limits, const Best& best,
                          const chip::CompileOutcome& found) {
    if (best.cost == std::numeric_limits<double>::infinity()) {
      EXPECT_EQ(found.status, Status::infeasible);
      return;
    }
    const double tolerance = 1e-9 * std::abs(best.cost);
    ASSERT_EQ(found.status, Status::optimal);
    ASSERT_TRUE(found.best);
    EXPECT_NEAR(found.objective, best.cost, tolerance);
    EXPECT_NEAR(found.bound, best.cost, tolerance);
    ASSERT_FALSE(chip::find_violation(problem, *found.best));
    const auto figures = chip::evaluate(problem, *found.best);
    EXPECT_NEAR(chip::figure_of(figures, objective), best.cost, tolerance);
    EXPECT_TRUE(chip::keeps(figures, limits));
  }
};

// A product that does not wait for its factor spends no time on writing it, even if writing takes very long.
TEST(ChipOptions, ProductsThatDoNotWaitSpendNoTimeOnWriting) {
  std::uint64_t waited = 0;
  std::uint64_t others = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    for (const bool waits : {true, false}) {
      auto machine = sample->machine;
      machine.cell.write_cycles = 1000;
      auto network = sample->network;
      for (auto& op : network.operators)
        for (auto& input : op.inputs) input.gated = input.gated && waits;
      const auto problem = chip::make_problem(machine, network);
      for (std::size_t i = 0; i < problem.size(); ++i)
        for (const auto& option :
             chip::latency_options(problem, i, chip::allowed({true, true}, machine.mode))) {
          EXPECT_TRUE(waits || option.gate == 0);
          (option.gate >= 1000 ? waited : others) += 1;
        }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(waited, 20U);
  EXPECT_GT(others, 20U);
}

TEST_F(ChipBruteForce, CompilingFindsTheBestOfAllDecisions) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 200);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; checked < cases && seed < first + 100 * cases; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    Random random(seed);
    auto machine = sample->machine;
    machine.energy = random_energies(random);
    const auto problem = chip::make_problem(machine, sample->network);
    const auto levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, machine.mode);
    std::map<CompileObjective, Best> best;
    std::vector<std::pair<Int, double>> powers;  // latency and peak power for all decisions
    const bool listed =
        each_chip_decision(problem, levels, [&](const Decisions&, const chip::ChipEvaluation& figures) {
          for (const auto objective :
               {CompileObjective::latency, CompileObjective::energy, CompileObjective::peak_power}) {
            const double cost = chip::figure_of(figures, objective);
            if (cost < best[objective].cost) best[objective] = {cost, figures};
          }
          powers.emplace_back(figures.latency_cycles, figures.peak_power);
        });
    if (!listed) continue;
    ++checked;
    for (const auto objective :
         {CompileObjective::latency, CompileObjective::energy, CompileObjective::peak_power})
      expect_optimum(problem, levels, objective, {}, best[objective]);
    if (powers.empty()) {
      ++coverage["nothing legal"];
      continue;
    }
    // Peak power, with a latency limit slightly above the minimum.
    const Int limit = static_cast<Int>(best[CompileObjective::latency].cost) * 5 / 4;
    Best limited;
    for (const auto& [latency, power] : powers)
      if (latency <= limit) limited.cost = std::min(limited.cost, power);
    expect_optimum(problem, levels, CompileObjective::peak_power,
                   {.latency = limit, .energy = {}, .peak_power = {}}, limited);
    add_features(problem, best[CompileObjective::latency], coverage);
    add_coverage(*sample, coverage);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(checked, cases);
  for (const auto& [feature, count] : coverage) RecordProperty(feature, count);
  for (const auto* feature : {"best: several segments", "best: copies", "best: more parts than needed",
                              "best: not pipelined", "best: product on crossbars", "best: spill"})
    EXPECT_GT(coverage[feature], 0) << feature;
  if (::testing::Test::HasFailure())
    for (const auto& [feature, count] : coverage) std::cerr << feature << ": " << count << '\n';
}

// Checks all objectives under limits on any figures, including limits that no schedule satisfies. Among
// schedules of equal objective, a proved result has the least secondary cost.
TEST_F(ChipBruteForce, OptimaRespectLimitsAndBreakTies) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 200) / 2;
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  const auto executor = make_executor(ExecutorKind::serial, 1);
  const StopSource stop;
  Coverage coverage;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = first; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample || !sample->problem) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    auto machine = sample->machine;
    machine.energy = random_energies(random);
    if (random.chance(0.5)) machine.energy.leakage = machine.energy.off_chip = 0;
    if (random.chance(0.5)) machine.chip_noc = {};
    const auto problem = chip::make_problem(machine, sample->network);
    const auto levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, machine.mode);
    std::vector<chip::ChipEvaluation> all;
    const bool listed =
        each_chip_decision(problem, levels, [&](const Decisions&, const chip::ChipEvaluation& figures) {
          chip::ChipEvaluation totals;
          totals.latency_cycles = figures.latency_cycles;
          totals.energy_pj = figures.energy_pj;
          totals.peak_power = figures.peak_power;
          all.push_back(totals);
        });
    if (!listed || all.empty()) continue;
    ++checked;
    for (int draw = 0; draw < 6; ++draw) {
      chip::CompileRequest request;
      request.levels = levels;
      request.objective = static_cast<CompileObjective>(draw % 3);
      const auto& some = all[random.below(all.size())];
      const Int less = random.chance(0.3) ? 1 : 0;
      if (random.chance(0.5)) request.limits.latency = some.latency_cycles - less;
      if (random.chance(0.4)) request.limits.energy = some.energy_pj;
      if (random.chance(0.4)) request.limits.peak_power = some.peak_power;
      const auto found = chip::compile(problem, request, {}, *executor, stop);
      const auto parts = chip::search_parts(problem, request, {}, *executor, stop);
      const auto other = chip::tie_breaker(request.objective);
      double best = std::numeric_limits<double>::infinity();
      double tie = best;
      for (const auto& figures : all)
        if (chip::keeps(figures, request.limits))
          best = std::min(best, chip::figure_of(figures, request.objective));
      for (const auto& figures : all)
        if (chip::keeps(figures, request.limits) &&
            chip::figure_of(figures, request.objective) <= best * (1 + 1e-9))
          tie = std::min(tie, chip::figure_of(figures, other));
      EXPECT_LE(parts.bound, best * (1 + 1e-9));
      if (best == std::numeric_limits<double>::infinity()) {
        EXPECT_EQ(found.status, Status::infeasible);
        coverage["nothing keeps the limits"] += 1;
        coverage["which is known without enumeration"] += parts.status == Status::infeasible ? 1 : 0;
        continue;
      }
      ASSERT_EQ(found.status, Status::optimal);
      const auto figures = chip::evaluate(problem, *found.best);
      EXPECT_TRUE(chip::keeps(figures, request.limits));
      EXPECT_NEAR(chip::figure_of(figures, request.objective), best, 1e-9 * best);
      if (found.tie.is_proved()) {
        EXPECT_LE(chip::figure_of(figures, other), tie * (1 + 1e-9));
      }
      EXPECT_LE(found.tie.bound, tie * (1 + 1e-9));
      coverage["optimal under limits"] += request.limits.any() ? 1 : 0;
      coverage["optimal without enumeration"] += parts.status == Status::optimal ? 1 : 0;
      coverage["a tie that is proved"] += found.tie.is_proved() ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  for (const auto* feature : {"nothing keeps the limits", "which is known without enumeration",
                              "optimal under limits", "optimal without enumeration", "a tie that is proved"})
    EXPECT_GT(coverage[feature], 0) << feature;
}

// Returns a network with one product that may use crossbars, and other operators that use the digital unit to
// different degrees.
chip::ChipNetwork network_around_a_product(Random& random) {
  chip::ChipNetwork network;
  network.bits = {4, 4, 4};
  const Int rows = random.between(1, 5);
  network.inputs.push_back({"input", rows, 1, random.between(1, 3)});
  const Int size = random.between(2, 3);
  const Int product = random.between(0, size - 1);
  for (Int i = 0; i < size; ++i) {
    chip::Operator op;
    op.name = "o" + std::to_string(i);
    op.bits = network.bits;
    op.rows = rows;
    op.channels = random.between(1, 3);
    op.in_channels = op.row_in = random.between(1, 3);
    const std::size_t from = random.below(network.tensors());
    op.inputs.push_back({from, {1, 0, 1}, false});
    op.alu_ops = random.between(1, 12);
    if (i == product) {
      op.kind = OperatorKind::product;
      op.matrix = {random.between(1, 3), op.channels, 1};
      op.alu_ops = random.between(1, 4);
      op.inputs.push_back({0, {1, 0, 1}, true});
    }
    network.operators.push_back(std::move(op));
    network.outputs.push_back(static_cast<std::size_t>(i));
  }
  return network;
}

// A product on crossbars relieves the digital unit that all operators share, even if the product itself is no
// faster there.
TEST_F(ChipBruteForce, ProductsRelieveASharedDigitalUnit) {
  const auto cases = nestor::tests::setting("NESTOR_CHIP_CASES", 200);
  const auto first = nestor::tests::setting("NESTOR_CHIP_SEED", 1);
  std::uint64_t checked = 0;
  int relieved = 0;  // products on crossbars that are no faster there
  for (std::uint64_t seed = first; checked < cases; ++seed) {
    const auto sample = random_chip_case(seed);
    if (!sample) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    auto machine = sample->machine;
    machine.alu_shared = true;
    machine.chip_alu = random.between(1, 4);
    machine.energy = random.chance(0.5) ? random_energies(random) : chip::Energies{};
    const auto network = network_around_a_product(random);
    const auto problem = chip::make_problem(machine, network);
    const auto levels = chip::allowed({random.chance(0.7), random.chance(0.7)}, machine.mode);
    std::map<CompileObjective, Best> best;
    const bool listed =
        each_chip_decision(problem, levels, [&](const Decisions&, const chip::ChipEvaluation& figures) {
          for (const auto objective : {CompileObjective::latency, CompileObjective::energy}) {
            const double cost = chip::figure_of(figures, objective);
            if (cost < best[objective].cost) best[objective] = {cost, figures};
          }
        });
    if (!listed || best.empty()) continue;
    ++checked;
    for (const auto objective : {CompileObjective::latency, CompileObjective::energy})
      expect_optimum(problem, levels, objective, {}, best[objective]);
    if (HasFailure()) return;
    for (std::size_t i = 0; i < problem.size(); ++i) {
      const auto& fastest = best[CompileObjective::latency].figures.operators[i];
      const auto& op = network.operators[i];
      relieved += op.kind == OperatorKind::product && fastest.crossbars > 0 &&
                          fastest.row_cycles >= (op.alu_ops + machine.chip_alu - 1) / machine.chip_alu
                      ? 1
                      : 0;
    }
  }
  RecordProperty("relieved", relieved);
  EXPECT_GE(relieved, static_cast<int>(cases) / 40);
}

// A limit may be equal to a figure in decimal notation, although the sum of doubles is slightly higher.
TEST_F(ChipBruteForce, LimitsMayEqualAFigure) {
  EXPECT_FALSE(chip::exceeds(1.7000000000000002, 1.7));
  EXPECT_FALSE(chip::exceeds(0, 0));
  EXPECT_TRUE(chip::exceeds(1.70001, 1.7));
  chip::ChipEvaluation figures;
  figures.energy_pj = 0.1 + 0.2;
  figures.peak_power = 3 * 0.1;
  EXPECT_TRUE(chip::keeps(figures, {.latency = {}, .energy = 0.3, .peak_power = 0.3}));
  EXPECT_FALSE(chip::keeps(figures, {.latency = {}, .energy = 0.29999, .peak_power = {}}));
  EXPECT_FALSE(chip::keeps(figures, {.latency = {}, .energy = {}, .peak_power = 0.29999}));
}

}  // namespace
}  // namespace nestor::tests::brute_force_test
