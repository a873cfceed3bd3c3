// Tests that compare the results of the exact search of the chip space with the optima of the reference
// cases.
#include "model/chip/search/compile.h"

#include <gtest/gtest.h>

#include "heuristics/chip/baselines.h"
#include "support/chip_reference.h"

namespace nestor::tests::compile_test {
namespace {

chip::CompileOutcome solve(const ChipCase& tested, const chip::ChipProblem& problem, const io::Json& levels,
                           chip::CompileObjective objective, std::optional<Int> latency = {},
                           int threads = 1) {
  chip::CompileRequest request;
  request.objective = objective;
  request.limits.latency = latency;
  request.levels = chip::allowed({levels.size() > 1, levels.size() > 2}, tested.machine.mode);
  std::vector<chip::Decisions> incumbents;
  for (const auto baseline : chip::all_baselines)
    if (auto decisions = chip::run_baseline(problem, baseline, request.levels))
      incumbents.push_back(*decisions);
  const auto executor = make_executor(threads == 1 ? ExecutorKind::serial : ExecutorKind::tbb, threads);
  StopSource stop;
  return chip::compile(problem, request, incumbents, *executor, stop);
}

TEST(ChipCompile, FindsTheOptimaOfTheTinyReferenceCases) {
  const auto path = chip_reference("tiny.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto cases = io::Json::parse(std::ifstream(path));
  for (const auto& reference : cases) {
    const std::string name = reference["network"]["name"];
    const auto tested = chip_case(reference["architecture"], reference["network"]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    const auto& optimum = reference["proved_optimal"];
    const auto check = [&](chip::CompileObjective objective, const char* key, std::optional<Int> latency) {
      const auto found = solve(tested, problem, reference["levels"], objective, latency);
      EXPECT_EQ(found.status, Status::optimal) << name << ", " << key;
      ASSERT_TRUE(found.best) << name << ", " << key;
      EXPECT_FALSE(chip::find_violation(problem, *found.best)) << name << ", " << key;
      const auto figures = chip::evaluate(problem, *found.best);
      const double expected = optimum[key].get<double>();
      EXPECT_NEAR(chip::figure_of(figures, objective), expected, 1e-9 * expected) << name << ", " << key;
      EXPECT_NEAR(found.objective, expected, 1e-9 * expected) << name << ", " << key;
      EXPECT_DOUBLE_EQ(found.bound, found.objective) << name << ", " << key;
      if (latency) {
        EXPECT_LE(figures.latency_cycles, *latency) << name;
      }
    };
    check(chip::CompileObjective::latency, "latency_cycles", {});
    if (optimum.contains("energy_pj")) check(chip::CompileObjective::energy, "energy_pj", {});
    if (optimum.contains("peak_power"))
      check(chip::CompileObjective::peak_power, "peak_power", optimum["limit_cycles"].get<Int>());
  }
}

// Proves every network and level of the table. If the reference result is proved optimal, the result equals
// it; otherwise, it is between the bound and the cost of the reference result. The number of threads does not
// matter.
TEST(ChipCompile, FindsTheOptimaOfTheCrossbarTable) {
  const auto path = chip_reference("table3.json");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no reference data at " << path;
  const auto table = io::Json::parse(std::ifstream(path));
  std::size_t proved = 0;
  for (const auto& result : table["results"]) {
    const std::string network = result["network"];
    const auto tested =
        chip_case(table["machines"][result["machine"].get<std::string>()], table["networks"][network]);
    const auto problem = chip::make_problem(tested.machine, tested.network);
    io::Json levels = io::Json::array();
    for (const char* level : {"cg", "mvm", "vvm"}) {
      levels.push_back(level);
      if (!result.contains("proved") || !result["proved"].contains(level)) continue;
      SCOPED_TRACE(network + ", " + level);
      const auto& reference = result["proved"][level];
      const auto found = solve(tested, problem, levels, chip::CompileObjective::latency);
      EXPECT_EQ(found.status, Status::optimal);
      EXPECT_LE(static_cast<Int>(found.objective), reference["latency_cycles"].get<Int>());
      EXPECT_GE(static_cast<Int>(found.objective), reference["lower_bound_one_segment"].get<Int>());
      ASSERT_TRUE(found.best);
      EXPECT_FALSE(chip::find_violation(problem, *found.best));
      ++proved;
      if (network != "resnet18-full" && network != "resnet101-full") continue;
      const auto threads = solve(tested, problem, levels, chip::CompileObjective::latency, {}, 3);
      EXPECT_EQ(threads.counts.nodes, found.counts.nodes);
      ASSERT_TRUE(threads.best);
      EXPECT_EQ(threads.best->operators, found.best->operators);
    }
  }
  EXPECT_EQ(proved, 19U);
}

// A chain of blocks that compete for cores. Repaired schedules are legal and do not change the optimum.
TEST(ChipCompile, RepairedSchedulesAreLegal) {
  chip::ChipMachine machine;
  machine.mode = chip::Mode::WLM;
  machine.cores = {1, 61};
  machine.cell.rows = machine.cell.columns = 64;
  machine.cell.parallel_rows = 8;
  machine.cell.write_cycles = 1000;
  chip::ChipNetwork network;
  network.inputs.push_back({"input", 14, 14, 8});
  for (Int i = 0; i < 10; ++i) {
    chip::Operator op;
    op.name = "conv" + std::to_string(i);
    op.kind = chip::OperatorKind::array;
    op.rows = op.width = i < 5 ? 14 : 7;
    op.channels = op.in_channels = 8;
    op.matrix = {i % 3 == 1 ? 72 : 8, 8, 1};
    op.inputs.push_back({static_cast<std::size_t>(i), {i == 5 ? 2 : 1, i % 3 == 1 ? 1 : 0, 1}, false});
    network.operators.push_back(op);
  }
  network.outputs.push_back(9);
  const auto problem = chip::make_problem(machine, network);
  chip::CompileRequest request;
  request.levels = {true, true};
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  // Weak bounds, so that the search takes enough rounds.
  request.search.width = 1;
  request.search.root_steps = request.search.dual_steps = 1;
  request.search.root_label_effort = request.search.label_effort = 0;
  request.search.repair_every = 0;
  const auto plain = chip::compile(problem, request, {}, *executor, stop);
  request.search.repair_every = 1;
  request.search.repair_after = 0;
  const auto repaired = chip::compile(problem, request, {}, *executor, stop);
  ASSERT_EQ(plain.status, Status::optimal);
  ASSERT_EQ(repaired.status, Status::optimal);
  EXPECT_GT(plain.counts.nodes, 10U);
  EXPECT_EQ(plain.objective, repaired.objective);
  EXPECT_FALSE(chip::find_violation(problem, *repaired.best));
}

// One operator has so many options that listing them alone takes minutes. Listing counts towards the work
// limit.
TEST(ChipCompile, ListingOptionsStopsAtTheWorkLimit) {
  chip::ChipMachine machine;
  machine.mode = chip::Mode::WLM;
  machine.cores = {1, 700};
  machine.crossbars = {1, 16};
  machine.cell.rows = machine.cell.columns = 128;
  machine.cell.parallel_rows = 8;
  machine.energy.crossbar = 1;
  chip::ChipNetwork network;
  network.inputs.push_back({"input", 28, 28, 512});
  chip::Operator op;
  op.name = "conv";
  op.kind = chip::OperatorKind::array;
  op.rows = op.width = 28;
  op.channels = op.in_channels = 512;
  op.matrix = {4608, 512, 1};
  op.inputs.push_back({0, {1, 0, 1}, false});
  network.operators.push_back(op);
  network.outputs.push_back(0);
  const auto problem = chip::make_problem(machine, network);
  chip::CompileRequest request;
  request.objective = chip::CompileObjective::peak_power;
  request.levels = {true, true};
  request.work_limit = 50'000;
  const auto first = chip::run_baseline(problem, chip::CompileMethod::cim_mlc_code, request.levels);
  ASSERT_TRUE(first);
  // Without this limit, the least demanding option of the operator reaches the bound before any enumeration.
  request.limits.latency = chip::evaluate(problem, *first).latency_cycles * 95 / 100;
  const auto executor = make_executor(ExecutorKind::serial, 1);
  StopSource stop;
  const auto found = chip::compile(problem, request, {&*first, 1}, *executor, stop);
  EXPECT_EQ(found.status, Status::work_limit);
  EXPECT_LE(found.labels, request.work_limit);
  EXPECT_TRUE(found.best);
  EXPECT_LE(found.bound, found.objective);
}

}  // namespace
}  // namespace nestor::tests::compile_test
