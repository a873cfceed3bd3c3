// Common parts of the tests of schedulers: generated netlists, and checks of schedules and orders.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "bench/netlists/generate.h"
#include "model/simd/problem.h"
#include "report/simd/schedule_contract.h"

namespace nestor::simd {

inline Netlist circuit(std::string_view name, bench::GeneratorSize size) {
  auto netlist = bench::generate(name, size);
  EXPECT_TRUE(netlist.ok());
  return std::move(netlist).value();
}

/// Makes every gate an output, so that the outputs need more rows than small machines have free.
inline void make_all_outputs(Netlist& netlist) {
  netlist.outputs.clear();
  for (std::uint32_t gate = 0; gate < netlist.gates.size(); ++gate)
    netlist.outputs.push_back({"y" + std::to_string(gate), Signal(netlist.first_gate() + gate, false)});
}

/// Makes some gates read only constants. Such gates may run in any array, without a copy.
inline void starve(Netlist& netlist, std::size_t every) {
  for (std::size_t gate = 0; gate < netlist.gates.size(); gate += every)
    netlist.gates[gate].fanin = {Signal(0, false), Signal(0, true), Signal(0, false)};
}

inline std::optional<Netlist> all_outputs(std::uint64_t seed) {
  nestor::Random random(seed);
  auto netlist = bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 5)),
                                            .count = static_cast<std::uint32_t>(random.between(4, 8)),
                                            .seed = seed});
  if (!netlist.ok()) return std::nullopt;
  make_all_outputs(*netlist);
  if (seed % 3 == 0) starve(*netlist, 3);
  return std::move(*netlist);
}

inline void expect_valid(const Netlist& netlist, const Schedule& schedule, std::uint32_t copies) {
  const auto contract = report::contract_of(schedule, netlist, netlist);
  ASSERT_EQ(contract.fault, "");
  EXPECT_EQ(contract.figures["copies"], copies);
}

/// True if every gate runs once, after the gates it reads.
inline bool is_topological(const ScheduleProblem& problem, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint8_t> done(problem.gate_count(), 0);
  for (const std::uint32_t gate : order) {
    for (const Value value : problem.fanins(gate))
      if (value != no_value && !problem.is_input(value) && done[problem.gate_of(value)] == 0) return false;
    if (std::exchange(done[gate], 1) != 0) return false;
  }
  return order.size() == problem.gate_count();
}

}  // namespace nestor::simd
