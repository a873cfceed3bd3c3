// The schedulers MASIM is compared with: legal by the verifier, repeatable, and as published where the
// paper's figure follows from the netlist alone.
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "heuristics/simd/baseline_orders.h"
#include "heuristics/simd_cases.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/verify_schedule.h"

namespace nestor::simd {
namespace {

constexpr std::array<Method, 4> baselines = {Method::gppic, Method::simpler, Method::star, Method::date24};

ScheduleResult schedule_of(const Netlist& netlist, Method method, std::uint32_t rows, std::uint64_t seed) {
  ScheduleRequest request;
  request.method = method;
  request.rows = rows;
  request.restarts = 4;
  request.seed = seed;
  auto result = make_schedule(netlist, request);
  EXPECT_TRUE(result);
  const ScheduleVerdict verdict = verify_schedule(netlist, netlist, result->schedule);
  EXPECT_FALSE(verdict.fault) << verdict.fault->message;
  EXPECT_EQ(verdict.figures.copies, result->copies);
  return std::move(*result);
}

TEST(SimdBaselines, AreLegalOnRandomNetlists) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    nestor::Random random(seed);
    const auto count = static_cast<std::uint32_t>(random.between(10, 120));
    const Netlist netlist = circuit("random", {.width = 9, .count = count, .seed = seed});
    const auto rows = static_cast<std::uint32_t>(random.between(6, 20));
    for (const Method method : baselines) schedule_of(netlist, method, rows, seed);
  }
}

// Table II: 512 for the adder of 128 bits, by every baseline; every input is copied for every gate that reads
// it.
TEST(SimdBaselines, CopyAnInputForEveryReaderBesideAFullArray) {
  const Netlist netlist = circuit("adder", {.width = 128});
  const auto rows = static_cast<std::uint32_t>(netlist.input_names.size());
  const Problem problem(netlist, rows, 0);
  std::uint32_t reads = 0;
  for (Value input = 0; input < problem.input_count(); ++input)
    reads += static_cast<std::uint32_t>(problem.readers(input).size());
  for (const Method method : baselines) EXPECT_EQ(schedule_of(netlist, method, rows, 1).copies, reads);
}

TEST(SimdBaselines, BreakTiesByIndexInTheirFirstOrder) {
  const Netlist netlist = circuit("multiplier", {.width = 8});
  const Problem problem(netlist, 256, 0);
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
  const Problem problem(netlist, 256, 0);
  const Order order = date24_order(problem);
  ASSERT_EQ(order.size(), problem.gate_count());
  for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i] / 12, i / 12);
}

}  // namespace
}  // namespace nestor::simd
