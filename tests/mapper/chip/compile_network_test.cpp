// Tests of the mapper of the chip space. Its schedules and those of the baselines are legal and have the
// stated costs. The gain that it predicts from more of a resource equals that of a search on the changed
// machine.
#include "mapper/chip/compile_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "heuristics/chip/baselines.h"
#include "mapper/chip/explain.h"
#include "support/chip_cases.h"
#include "support/setting.h"

namespace nestor::tests::compile_network_test {
namespace {

using chip::ChipMachine;
using chip::CompileMethod;
using chip::CompileObjective;

class ChipMapper : public ::testing::Test {
 protected:
  // A work limit, unlike a time limit, stops searches at the same point on every computer.
  static chip::NetworkRequest request_for(const ChipMachine& machine, CompileObjective objective) {
    chip::NetworkRequest request;
    request.search.objective = objective;
    request.search.levels = chip::offered(machine.mode);
    request.search.work_limit = 300;
    return request;
  }

  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  StopSource stop_{deadline_after(60)};
  chip::SearchResources resources_{*executor_, stop_, nullptr};
};

std::uint64_t cases() { return nestor::tests::setting("NESTOR_EXACTNESS_CASES", 40); }

TEST_F(ChipMapper, ResultsAreLegalWithTheReportedCost) {
  std::uint64_t checked = 0;
  int missing = 0;
  std::map<CompileMethod, int> taken;
  for (std::uint64_t seed = 1; checked < cases(); ++seed) {
    SCOPED_TRACE(seed);
    const auto sample = random_chip_case(seed);
    if (!sample) continue;
    ++checked;
    auto machine = sample->machine;
    machine.l0.strict = seed % 2 == 0;  // a schedule that would spill is then illegal
    const auto problem = chip::make_problem(machine, sample->network);
    auto request = request_for(machine, static_cast<CompileObjective>(seed % 3));
    const auto found = chip::compile_network(problem, request, resources_);
    ASSERT_EQ(found.fault, "");
    EXPECT_TRUE(found.proves);
    ASSERT_EQ(found.outcome.best.has_value(), found.evaluation.has_value());
    for (const auto& run : found.baselines) {
      EXPECT_FALSE(chip::find_violation(problem, run.decisions));
      const auto figures = chip::evaluate(problem, run.decisions);
      EXPECT_EQ(run.latency, figures.latency_cycles);
      ASSERT_TRUE(found.outcome.best);  // the search starts from the baselines
      EXPECT_LE(found.outcome.objective, chip::figure_of(figures, request.search.objective) * (1 + 1e-9));
    }
    if (found.outcome.best) {
      EXPECT_FALSE(chip::find_violation(problem, *found.outcome.best));
      EXPECT_LE(found.outcome.bound, found.outcome.objective * (1 + 1e-9));
    }
    for (const auto method : chip::all_baselines) {
      request.method = method;
      const auto baseline = chip::compile_network(problem, request, resources_);
      EXPECT_FALSE(baseline.proves);
      EXPECT_EQ(baseline.fault, "");
      EXPECT_NE(baseline.outcome.status, Status::optimal);
      EXPECT_NE(baseline.outcome.status, Status::infeasible);
      const auto run = std::find_if(found.baselines.begin(), found.baselines.end(),
                                    [&](const auto& each) { return each.baseline == method; });
      ASSERT_EQ(baseline.outcome.best.has_value(), run != found.baselines.end());
      if (!baseline.outcome.best) {
        ++missing;
        continue;
      }
      ++taken[method];
      EXPECT_EQ(baseline.outcome.best->operators, run->decisions.operators);
      EXPECT_EQ(baseline.evaluation->latency_cycles, run->latency);
      EXPECT_EQ(baseline.outcome.objective,
                chip::figure_of(chip::evaluate(problem, run->decisions), request.search.objective));
    }
  }
  for (const auto method : chip::all_baselines) EXPECT_GT(taken[method], 0) << chip::to_string(method);
  // Fewer cases, as with planted faults, may contain none.
  EXPECT_GT(missing, cases() < nestor::tests::fewest_cases_that_tell ? -1 : 0);
}

// Without time for a search, the result is the best of the baselines.
TEST_F(ChipMapper, AStoppedSearchKeepsTheBaselines) {
  std::uint64_t checked = 0;
  const StopSource past(deadline_after(0));
  const chip::SearchResources resources{*executor_, past, nullptr};
  for (std::uint64_t seed = 1; checked < cases(); ++seed) {
    SCOPED_TRACE(seed);
    const auto sample = random_chip_case(seed);
    if (!sample) continue;
    const auto request = request_for(sample->machine, static_cast<CompileObjective>(seed % 3));
    const auto found = chip::compile_network(*sample->problem, request, resources);
    if (found.baselines.empty()) continue;
    ++checked;
    ASSERT_TRUE(found.outcome.best);
    for (const auto& run : found.baselines) {
      const auto figures = chip::evaluate(*sample->problem, run.decisions);
      EXPECT_LE(found.outcome.objective, chip::figure_of(figures, request.search.objective) * (1 + 1e-9));
    }
  }
}

// Returns the change of the machine for each resource that a report names, implemented independently of the
// mapper.
const std::map<std::string, std::function<void(ChipMachine&)>>& changes() {
  const auto one_more = [](chip::Grid& grid) {
    if (grid.rows > 1)
      grid.rows += 1;
    else
      grid.columns += 1;
  };
  static const std::map<std::string, std::function<void(ChipMachine&)>> table = {
      {"cores", [=](ChipMachine& m) { one_more(m.cores); }},
      {"crossbars of a core", [=](ChipMachine& m) { one_more(m.crossbars); }},
      {"L0 bits", [](ChipMachine& m) { m.l0.size *= 2; }},
      {"L0 bandwidth", [](ChipMachine& m) { m.l0.bandwidth *= 2; }},
      {"L1 bits", [](ChipMachine& m) { m.l1.size *= 2; }},
      {"L1 bandwidth", [](ChipMachine& m) { m.l1.bandwidth *= 2; }},
      {"off-chip bandwidth", [](ChipMachine& m) { m.off_chip_bandwidth *= 2; }},
      {"chip's digital unit", [](ChipMachine& m) { m.chip_alu *= 2; }},
      {"core's digital unit", [](ChipMachine& m) { m.core_alu *= 2; }},
      {"rows at once",
       [](ChipMachine& m) { m.cell.parallel_rows = std::min(m.cell.rows, 2 * m.cell.parallel_rows); }}};
  return table;
}

TEST_F(ChipMapper, GainsEqualThoseOfTheChangedMachines) {
  std::map<std::string, int> seen;
  std::uint64_t gained = 0;
  std::uint64_t checked = 0;
  for (std::uint64_t seed = 1; checked < cases(); ++seed) {
    SCOPED_TRACE(seed);
    const auto sample = random_chip_case(seed);
    if (!sample) continue;
    ++checked;
    const auto request = request_for(sample->machine, CompileObjective::latency);
    const auto found = chip::compile_network(*sample->problem, request, resources_);
    if (!found.outcome.best) continue;
    const bool proved = found.outcome.status == Status::optimal;
    const double now = found.outcome.objective;
    const auto explained = chip::explain(sample->machine, sample->whole, request, now, proved, resources_);
    ASSERT_FALSE(explained.refusal);
    ASSERT_EQ(explained.fault, "");
    for (const auto& gain : explained.gains) {
      ++seen[gain.resource];
      EXPECT_GT(gain.more, gain.now);
      if (gain.resource == "rows at once") {
        EXPECT_LE(gain.more, sample->machine.cell.rows);
      }
      auto machine = sample->machine;
      changes().at(gain.resource)(machine);
      const auto network = chip::fit(machine, sample->whole);
      const auto problem = chip::make_problem(machine, std::get<chip::ChipNetwork>(network));
      const auto again = chip::compile_network(problem, request, resources_).outcome;
      ASSERT_TRUE(again.best) << gain.resource;
      EXPECT_EQ(gain.objective, again.objective) << gain.resource;
      EXPECT_EQ(gain.proved, proved && again.status == Status::optimal) << gain.resource;
      EXPECT_NEAR(gain.gain, now > 0 ? 1 - again.objective / now : 0, 1e-12) << gain.resource;
      gained += static_cast<std::uint64_t>(gain.gain > 0);
    }
  }
  EXPECT_GT(gained, 0U);
  for (const auto& [resource, change] : changes()) EXPECT_GT(seen[resource], 0) << resource;
}

// On networks too large to prove, the search for an objective finds no worse value than the searches for
// other objectives.
TEST_F(ChipMapper, EveryObjectiveIsBestInItsOwnSearch) {
  ChipMachine machine;
  machine.mode = chip::Mode::WLM;
  machine.cores = {1, 24};
  machine.crossbars = {1, 4};
  machine.cell.rows = machine.cell.columns = 64;
  machine.cell.parallel_rows = 8;
  machine.cell.write_cycles = 100;
  machine.energy = {.crossbar = 1, .adc = 0.5, .dac = 0.5, .l0 = 0.01, .write = 2};
  chip::ChipNetwork network;
  network.inputs.push_back({"input", 16, 16, 8});
  for (Int i = 0; i < 14; ++i) {
    chip::Operator op;
    op.name = "conv" + std::to_string(i);
    op.kind = chip::OperatorKind::array;
    op.rows = op.width = i < 7 ? 16 : 8;
    op.channels = op.in_channels = 24;
    op.row_in = 16 * 24;
    op.matrix = {i % 3 == 1 ? 216 : 24, 24, 1};
    op.inputs.push_back({static_cast<std::size_t>(i), {i == 7 ? 2 : 1, i % 3 == 1 ? 1 : 0, 1}, false});
    network.operators.push_back(op);
  }
  network.outputs.push_back(13);
  for (const Int hop : {0, 3}) {
    machine.chip_noc.kind = chip::NocKind::mesh;
    machine.chip_noc.hop_cycles = hop;
    const auto problem = chip::make_problem(machine, network);
    std::vector<chip::ChipEvaluation> figures;
    for (const auto objective :
         {CompileObjective::latency, CompileObjective::energy, CompileObjective::peak_power}) {
      auto request = request_for(machine, objective);
      request.search.work_limit = 3000;
      figures.push_back(*chip::compile_network(problem, request, resources_).evaluation);
    }
    for (std::size_t o = 0; o < figures.size(); ++o)
      for (const auto& other : figures) {
        const auto objective = static_cast<CompileObjective>(o);
        EXPECT_LE(chip::figure_of(figures[o], objective), chip::figure_of(other, objective) * (1 + 1e-9));
      }
    // No schedule takes fewer cycles than the fastest one, and the search proves this.
    auto request = request_for(machine, CompileObjective::energy);
    request.search.limits.latency = figures[0].latency_cycles - 1;
    if (hop == 0) {
      EXPECT_EQ(chip::compile_network(problem, request, resources_).outcome.status, Status::infeasible);
    }
  }
}

// A network that was already split, such as that of a result, can be split again, and no further sums are
// added.
TEST_F(ChipMapper, SplitNetworksCanBeSplitAgain) {
  ChipMachine machine;
  machine.mode = chip::Mode::CM;
  machine.cores = {1, 2};
  machine.cell.rows = 8;
  machine.cell.columns = 8;
  chip::ChipNetwork network;
  network.inputs.push_back({"input", 1, 1, 64});
  chip::Operator op;
  op.name = "dense";
  op.kind = chip::OperatorKind::array;
  op.channels = 2;
  op.in_channels = op.row_in = 64;
  op.matrix = {64, 2, 1};
  op.inputs.push_back({0, {1, 0, 1}, false});
  network.operators.push_back(op);
  network.outputs.push_back(0);
  const auto once = std::get<chip::ChipNetwork>(chip::fit(machine, network));
  ASSERT_TRUE(std::any_of(once.operators.begin(), once.operators.end(),
                          [](const auto& each) { return each.piece.adds; }));
  const auto again = std::get<chip::ChipNetwork>(chip::fit(machine, once));
  ASSERT_EQ(again.operators.size(), once.operators.size());
  for (std::size_t i = 0; i < again.operators.size(); ++i) {
    ASSERT_EQ(again.operators[i].inputs.size(), once.operators[i].inputs.size());
    for (std::size_t k = 0; k < again.operators[i].inputs.size(); ++k)
      EXPECT_EQ(again.operators[i].inputs[k].tensor, once.operators[i].inputs[k].tensor);
  }
}

// With one more core, transfer times might exceed 64 bits.
TEST_F(ChipMapper, ExplainReportsMachinesThatDoNotFit) {
  ChipMachine machine;
  machine.mode = chip::Mode::XBM;
  machine.cell.rows = machine.cell.columns = 64;
  machine.chip_noc.kind = chip::NocKind::mesh;
  machine.chip_noc.hop_cycles = 500'000'000'000'000'000;
  chip::ChipNetwork network;
  network.inputs.push_back({"input", 1, 1, 8});
  chip::Operator op;
  op.name = "dense";
  op.kind = chip::OperatorKind::array;
  op.channels = op.in_channels = 8;
  op.matrix = {8, 8, 1};
  op.inputs.push_back({0, {1, 0, 1}, false});
  network.operators.push_back(op);
  network.outputs.push_back(0);
  const auto fitted = chip::fit(machine, network);
  ASSERT_TRUE(std::holds_alternative<chip::ChipNetwork>(fitted))
      << std::get<chip::ChipRefusal>(fitted).message;
  const auto explained =
      chip::explain(machine, network, request_for(machine, CompileObjective::latency), 1, true, resources_);
  ASSERT_TRUE(explained.refusal);
  EXPECT_NE(explained.refusal->message.find("may exceed 64 bits"), std::string::npos);
  EXPECT_TRUE(explained.gains.empty());
}

}  // namespace
}  // namespace nestor::tests::compile_network_test
