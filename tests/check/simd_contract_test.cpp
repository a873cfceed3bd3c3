// Tests of the contract of schedules against the figures of the model, and of its comparison of values with
// netlists that compute the same in another way.
#include "report/simd/schedule_contract.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/figures.h"
#include "report/keys/common.h"
#include "report/keys/simd.h"
#include "report/simd/schedule_figures.h"
#include "support/setting.h"
#include "support/spread_schedule.h"

namespace nestor::simd::simd_contract_test {
namespace {

Netlist random_netlist(std::uint64_t seed) {
  Random random(seed);
  const auto width = static_cast<std::uint32_t>(random.between(3, 20));
  const auto count = static_cast<std::uint32_t>(random.between(4, 60));
  auto netlist = bench::generate("random", {.width = width, .count = count, .seed = seed});
  EXPECT_TRUE(netlist.ok());
  for (auto& gate : netlist->gates)
    for (auto& fanin : gate.fanin)
      if (random.below(2) == 1) fanin = !fanin;
  return *netlist;
}

// Each figure of a result has two computations: one from instructions, and one from the text.
TEST(SimdContract, AgreesWithTheFiguresOfTheModel) {
  const auto cases = tests::setting("NESTOR_SIMD_CASES", 150);
  std::uint64_t copies = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const auto netlist = random_netlist(seed);
    Random random(seed);
    ScheduleRequest request;
    request.method = schedule_methods.values[random.below(schedule_methods.values.size())];
    request.rows = static_cast<std::uint32_t>(random.between(4, 24));
    request.recompute = random.below(4) == 0;
    request.work_limit = 2000;
    request.restarts = 2;
    request.threads = 1;
    auto schedule = tests::spread_schedule(netlist, request.rows);
    if (seed % 5 == 0)
      if (const auto found = make_schedule(netlist, request)) schedule = found->schedule;
    const EnergyModel energy{1.5, 2.25, 0.125};
    const auto contract = report::contract_of(schedule, netlist, netlist, energy, 64);
    ASSERT_EQ(contract.fault, "") << seed;
    const auto expected = io::write_fields([&](io::Fields& fields) {
      report::describe_figures(fields, schedule, figures_of(schedule, netlist), energy);
      report::describe_pairs(fields, report::copies_by_pair(schedule));
    });
    for (const auto& [key, value] : expected.items()) EXPECT_EQ(contract.figures[key], value) << seed << key;
    copies += contract.figures[key::copies].get<std::uint64_t>();
  }
  EXPECT_GT(copies, 10 * cases);
}

// Returns the netlist with gates of two operands: a xor b xor c, and ab or c(a or b).
Netlist with_two_operands(const Netlist& netlist) {
  Netlist result = netlist;
  result.gates.clear();
  result.gate_names.clear();
  std::vector<Signal> image = {Signal()};
  for (NodeIndex input = 1; input < netlist.first_gate(); ++input) image.emplace_back(input, false);
  const auto moved = [&](Signal of) { return Signal(image[of.node()].node(), of.complemented()); };
  const auto add = [&](GateKind kind, Signal a, Signal b, Signal constant) {
    result.gates.push_back({kind, {a, b, constant}});
    result.gate_names.push_back("g" + std::to_string(result.gates.size()));
    return Signal(result.node_count() - 1, false);
  };
  const Signal zero(0, false), one(0, true);
  for (const auto& [kind, fanin] : netlist.gates) {
    const auto a = moved(fanin[0]), b = moved(fanin[1]), c = moved(fanin[2]);
    if (kind == GateKind::xor3) {
      image.push_back(add(kind, add(kind, a, b, zero), c, zero));
    } else {
      const auto both = add(kind, a, b, zero);
      const auto third = add(kind, c, add(kind, a, b, one), zero);
      image.push_back(add(kind, both, third, one));
    }
  }
  for (auto& output : result.outputs) output.signal = moved(output.signal);
  return result;
}

TEST(SimdContract, ComparesValuesWithEquivalentNetlists) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto netlist = random_netlist(seed);
    const auto schedule = tests::spread_schedule(netlist, 8);
    EXPECT_EQ(report::contract_of(schedule, netlist, with_two_operands(netlist)).fault, "") << seed;
  }
}

// Returns a netlist whose output is true for exactly one combination of the inputs.
Netlist one_of(std::uint32_t combination, std::uint32_t inputs) {
  Netlist netlist;
  for (std::uint32_t i = 0; i < inputs; ++i) netlist.input_names.push_back("i" + std::to_string(i));
  Signal all(0, true);
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const bool is_one = ((combination >> i) & 1U) != 0;
    netlist.gates.push_back({GateKind::maj3, {all, Signal(i + 1, !is_one), Signal()}});
    netlist.gate_names.push_back("n" + std::to_string(i));
    all = Signal(netlist.node_count() - 1, false);
  }
  netlist.outputs.push_back({"found", all});
  return netlist;
}

TEST(SimdContract, DetectsADifferenceInOnePattern) {
  constexpr std::uint32_t inputs = 12;
  for (std::uint32_t combination = 0; combination < 1U << inputs; combination += 13) {
    const auto netlist = one_of(combination, inputs);
    auto never = netlist;
    never.outputs[0].signal = Signal();
    const auto schedule = tests::spread_schedule(netlist, 64);
    ASSERT_EQ(report::contract_of(schedule, netlist, netlist).fault, "") << combination;
    EXPECT_EQ(report::contract_of(schedule, netlist, never).fault,
              "output 'found' differs from the source netlist");
  }
}

// Large numbers of arrays cost no memory, but their occupancy is not listed.
TEST(SimdContract, AcceptsLargeNumbersOfArrays) {
  const auto netlist = one_of(1, 2);
  auto schedule = tests::spread_schedule(netlist, 64);
  const auto text_of_array = [&](std::uint32_t array) {
    auto changed = schedule;
    for (auto& instruction : changed.instructions) {
      if (instruction.to.array != 0) instruction.to.array = array;
      if (instruction.from.array != 0) instruction.from.array = array;
    }
    for (auto& output : changed.outputs)
      if (output.place.array != 0) output.place.array = array;
    return report::contract_of(changed, netlist, netlist);
  };
  const auto small = text_of_array(1), large = text_of_array(1U << 29U);
  ASSERT_EQ(small.fault, "");
  ASSERT_EQ(large.fault, "");
  EXPECT_TRUE(small.figures[key::occupancy].is_object());
  EXPECT_TRUE(large.figures[key::occupancy].is_null());
  EXPECT_EQ(small.figures[key::rows_used], large.figures[key::rows_used]);
}

}  // namespace
}  // namespace nestor::simd::simd_contract_test
