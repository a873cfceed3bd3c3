// Tests of gates spread over arrays, and of orders that complete values early. Every schedule is verified,
// and the constructions must reach the numbers of copies for which they were designed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <numeric>
#include <utility>

#include "heuristics/simd/constructions.h"
#include "heuristics/simd/spread_machine.h"
#include "heuristics/simd_cases.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/bounds.h"
#include "model/simd/emit.h"
#include "model/simd/reorder.h"
#include "model/simd/xmg_builder.h"
#include "report/simd/schedule_contract.h"

namespace nestor::simd::simd_spread_test {
namespace {

TEST(ClosingOrder, IsTopological) {
  Random random(1);
  for (const auto* name : {"adder", "random", "wallace", "decoder", "bitonic", "crc"}) {
    SCOPED_TRACE(name);
    const Netlist netlist = circuit(name, {.width = 8, .count = 16});
    const ScheduleProblem problem(netlist, 64, 0);
    for (const auto roots : {RootRule::given, RootRule::smallest_cone, RootRule::random})
      for (const auto fanins : {FaninRule::widest, FaninRule::deepest, FaninRule::random})
        EXPECT_TRUE(is_topological(problem, closing_order(problem, roots, fanins, random)));
    EXPECT_TRUE(is_topological(problem, greedy_order(problem, random, true)));
  }
}

/// If the gates of a population count are shuffled in the file, a closing order needs at most 1.2 copies for
/// each input. A depth-first order needs more.
TEST(ClosingOrder, KeepsSumsAndCarriesTogether) {
  const Netlist netlist = shuffled(circuit("popcount", {.width = 300}), 5, true);
  const ScheduleProblem problem(netlist, 64, 0);
  Random random(1);
  SpreadMachine machine(problem);
  ASSERT_TRUE(
      machine.place(closing_order(problem, RootRule::given, FaninRule::widest, random), impossible, {}));
  EXPECT_LE(machine.copies(), 360U);
  ASSERT_TRUE(
      machine.place(depth_first_order(problem, RootRule::given, FaninRule::widest, random), impossible, {}));
  EXPECT_GT(machine.copies(), 400U);
}

TEST(SpreadMachine, SchedulesMatchItsCounts) {
  int limited = 0, over_one = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Netlist netlist = circuit("random", {.width = static_cast<std::uint32_t>(random.between(4, 40)),
                                               .count = static_cast<std::uint32_t>(random.between(20, 300)),
                                               .seed = seed});
    const auto rows = static_cast<std::uint32_t>(random.between(4, 24));
    const std::uint32_t arrays =
        seed % 3 == 0 ? (static_cast<std::uint32_t>(netlist.input_names.size()) + rows - 1) / rows + 5 : 0;
    const ScheduleProblem problem(netlist, rows, arrays);
    SpreadMachine machine(problem);
    const Order order = random_order(problem, random);
    if (!machine.place(order, impossible, {})) {
      EXPECT_NE(arrays, 0U);  // with unlimited arrays, a row is always free
      continue;
    }
    const std::uint32_t copies = machine.copies();
    const Schedule schedule = machine.record(netlist);
    EXPECT_EQ(machine.copies(), copies);
    const auto contract = report::contract_of(schedule, netlist, netlist);
    ASSERT_EQ(contract.fault, "");
    EXPECT_EQ(contract.figures["copies"], copies);
    limited += arrays != 0 ? 1 : 0;
    over_one += contract.figures["arrays_used"] > problem.home_arrays() + 1 ? 1 : 0;
    EXPECT_FALSE(machine.place(order, copies, {}));
    EXPECT_TRUE(machine.place(order, copies + 1, {}));
  }
  EXPECT_GT(limited, 10);
  EXPECT_GT(over_one, 40);
}

TEST(SpreadMachine, StopsWhenAsked) {
  const Netlist netlist = circuit("wallace", {.width = 40});
  const ScheduleProblem problem(netlist, 64, 0);
  Order order(problem.gate_count());
  std::iota(order.begin(), order.end(), 0U);
  SpreadMachine machine(problem);
  EXPECT_FALSE(machine.place(order, impossible, [] { return true; }));
  EXPECT_LT(machine.choices().size(), 2000U);
}

/// Regression cases: instances on which other methods used to be better.
TEST(Constructions, StayWithinTheKnownCostsOfRegressionCases) {
  struct Case {
    const char* name;
    bench::GeneratorSize size;
    std::uint32_t rows, most;
  };
  for (const auto& [name, size, rows, most] :
       {Case{"bitonic", {.width = 1, .count = 512}, 256, 1236}, Case{"popcount", {.width = 1000}, 64, 1250},
        Case{"popcount", {.width = 1000}, 256, 900}, Case{"dot", {.width = 8, .count = 32}, 128, 2600}}) {
    SCOPED_TRACE(name);
    const Netlist netlist = circuit(name, size);
    const ScheduleProblem problem(netlist, rows, 0);
    Random random(1);
    const Stop never;
    Constructions constructions(problem, &netlist, 0, never);
    while (constructions.left()) ASSERT_TRUE(constructions.step(random));
    Order file(problem.gate_count());
    std::iota(file.begin(), file.end(), 0U);
    ASSERT_TRUE(constructions.spread(file));
    const Copies best =
        std::min({constructions.single.copies, constructions.many.copies, constructions.elsewhere.copies});
    EXPECT_LE(best, most);
    EXPECT_GE(best, input_bound(problem).copies);
  }
}

TEST(Emit, ClosesGapsAmongArrays) {
  const Netlist netlist = circuit("adder", {.width = 6});
  const ScheduleProblem problem(netlist, 64, 0);
  Order order(problem.gate_count());
  std::iota(order.begin(), order.end(), 0U);
  const Sequence sequence(problem, order);
  const WorkingArrays working{{5}};
  Evaluator evaluator(problem, working, false);
  const Copies copies = evaluator.evaluate(sequence);
  Schedule schedule = emit(netlist, sequence, working, evaluator.transfers());
  close_array_gaps(schedule, problem.home_arrays());
  std::uint32_t last = 0;
  for (const Instruction& instruction : schedule.instructions) last = std::max(last, instruction.to.array);
  EXPECT_EQ(last, 1U);
  const auto contract = report::contract_of(schedule, netlist, netlist);
  ASSERT_EQ(contract.fault, "");
  EXPECT_EQ(contract.figures["copies"], copies);
}

/// For a netlist of 100,000 gates, the constructions of every method stop soon after an interruption.
TEST(Scheduler, StopsConstructionsInTime) {
  const Netlist netlist = circuit("wallace", {.width = 180});
  for (const ScheduleMethod method :
       {ScheduleMethod::nestor, ScheduleMethod::masim, ScheduleMethod::gppic, ScheduleMethod::simpler,
        ScheduleMethod::star, ScheduleMethod::date24}) {
    SCOPED_TRACE(to_string(method));
    std::atomic<bool> interrupted{true};
    ScheduleRequest request;
    request.method = method;
    request.rows = 64;
    request.interrupted = &interrupted;
    const std::clock_t before = std::clock();
    const auto result = make_schedule(netlist, request);
    EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 2.0);  // allows for a busy machine
    if (!result) {
      EXPECT_EQ(result.status(), Status::interrupted);
      EXPECT_FALSE(result.gave_up());
    }
  }
}

TEST(Scheduler, ClaimsInfeasibilityOnlyWithAProof) {
  // There is one free row, but two values are needed at the same time.
  XmgBuilder builder("tight");
  std::array<Signal, 4> in{};
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = builder.input("x" + std::to_string(i));
  const Signal sum = builder.xor3(in[0], in[1], in[2]), carry = builder.maj3(in[0], in[1], in[2]);
  builder.output("y", builder.xor3(sum, carry, in[3]));
  const Netlist netlist = builder.finish();
  ScheduleRequest request;
  request.array_limit = 1;
  request.rows = 5;
  request.restarts = 3;
  for (const ScheduleMethod method :
       {ScheduleMethod::masim, ScheduleMethod::simpler, ScheduleMethod::exact}) {
    SCOPED_TRACE(to_string(method));
    request.method = method;
    const auto result = make_schedule(netlist, request);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.status() == Status::infeasible, method == ScheduleMethod::exact);
    EXPECT_EQ(result.gave_up(), method != ScheduleMethod::exact);
  }
}

}  // namespace
}  // namespace nestor::simd::simd_spread_test
