// Tests of the schedulers with which MASIM is compared. Their schedules pass the verifier and are repeatable.
// Their numbers of copies equal the paper's where these follow from the netlist alone.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "heuristics/priority/priority.h"
#include "heuristics/simd/baseline_orders.h"
#include "heuristics/simd/greedy_machine.h"
#include "heuristics/simd_cases.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/recompute.h"
#include "report/simd/schedule_contract.h"

namespace nestor::simd::simd_baselines_test {
namespace {

constexpr std::array<ScheduleMethod, 4> baselines = {ScheduleMethod::gppic, ScheduleMethod::simpler,
                                                     ScheduleMethod::star, ScheduleMethod::date24};

ScheduleResult schedule_of(const Netlist& netlist, ScheduleMethod method, std::uint32_t rows,
                           std::uint64_t seed) {
  ScheduleRequest request;
  request.method = method;
  request.rows = rows;
  request.restarts = 4;
  request.seed = seed;
  auto result = make_schedule(netlist, request);
  EXPECT_TRUE(result);
  const auto contract = report::contract_of(result->schedule, netlist, netlist);
  EXPECT_EQ(contract.fault, "");
  EXPECT_EQ(contract.figures["copies"], result->copies);
  return std::move(*result);
}

TEST(SimdBaselines, AreLegalOnRandomNetlists) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed);
    const auto count = static_cast<std::uint32_t>(random.between(10, 120));
    const Netlist netlist = circuit("random", {.width = 9, .count = count, .seed = seed});
    const auto rows = static_cast<std::uint32_t>(random.between(6, 20));
    for (const ScheduleMethod method : baselines) schedule_of(netlist, method, rows, seed);
  }
}

// Every baseline needs 512 copies for the adder of 128 bits, as published, because every input is copied for
// every gate that reads it.
TEST(SimdBaselines, CopyInputsForEveryReaderIfTheArrayIsFull) {
  const Netlist netlist = circuit("adder", {.width = 128});
  const auto rows = static_cast<std::uint32_t>(netlist.input_names.size());
  const ScheduleProblem problem(netlist, rows, 0);
  std::uint32_t reads = 0;
  for (Value input = 0; input < problem.input_count(); ++input)
    reads += static_cast<std::uint32_t>(problem.readers(input).size());
  for (const ScheduleMethod method : baselines)
    EXPECT_EQ(schedule_of(netlist, method, rows, 1).copies, reads);
}

TEST(SimdBaselines, BreakTiesByIndexInTheirFirstOrder) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  const ScheduleProblem problem(netlist, 256, 0);
  for (const auto order : {gppic_order, simpler_order, star_order}) {
    nestor::Random one(1), two(2);
    const Order first = order(problem, true, one, {});
    EXPECT_EQ(first, order(problem, true, two, {}));
    EXPECT_NE(first, order(problem, false, two, {}));
    EXPECT_EQ(first.size(), problem.gate_count());
  }
}

TEST(SimdBaselines, DividingKeepsPartsOfTheFileTogether) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  const ScheduleProblem problem(netlist, 256, 0);
  const Order order = date24_order(problem);
  ASSERT_EQ(order.size(), problem.gate_count());
  for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i] / 12, i / 12);
}

/// Recording a large schedule takes a long time, so a stop request also ends the recording.
TEST(Recorder, StopsWithoutAResult) {
  const auto netlist = bench::generate("random", {.width = 64, .count = 20'000});
  ASSERT_TRUE(netlist.ok());
  const ScheduleProblem problem(*netlist, 64, 0);
  GreedyMachine machine(problem);
  std::vector<GreedyMachine::Choice> sequence, best(problem.gate_count()), current(problem.gate_count());
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate) sequence.push_back({gate, 0});
  priority::PrioritySearch<GreedyMachine> search(machine, current, best, 1);
  ASSERT_TRUE(search.derive(sequence));
  int asked = 0;
  const Schedule stopped = machine.record(*netlist, search.best(), [&] { return ++asked == 3; });
  EXPECT_TRUE(stopped.instructions.empty());
  EXPECT_EQ(asked, 3);
  const Schedule whole = machine.record(*netlist, search.best());
  EXPECT_EQ(copy_count(whole), search.best_cost());
  EXPECT_EQ(report::contract_of(whole, *netlist, *netlist).fault, "");
}

/// For more than 40,000 gates, the returned schedule is that of the best trial.
TEST(Baselines, ReturnTheBestTrialOnLargeNetlists) {
  const auto netlist = bench::generate("random", {.width = 300, .count = 41'000});
  ASSERT_TRUE(netlist.ok());
  ScheduleRequest request;
  request.method = ScheduleMethod::simpler;
  request.rows = 256;
  request.time_limit = 1000;
  request.restarts = 4;
  const auto result = make_schedule(*netlist, request);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->trials, 4U);
  EXPECT_EQ(copy_count(result->schedule), result->copies);
  EXPECT_EQ(result->milestones.back().copies, result->copies);
  EXPECT_EQ(report::contract_of(result->schedule, *netlist, *netlist).fault, "");
}

}  // namespace
}  // namespace nestor::simd::simd_baselines_test
