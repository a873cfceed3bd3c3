// What tests of schedulers share: generated netlists, and checks of schedules and orders.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "io/netlist/generate.h"
#include "model/simd/problem.h"
#include "model/simd/verify_schedule.h"

namespace nestor::simd {

inline Netlist circuit(std::string_view name, io::GeneratorSize size) {
  auto netlist = io::generate(name, size);
  EXPECT_TRUE(netlist.ok());
  return std::move(netlist).value();
}

inline void expect_valid(const Netlist& netlist, const Schedule& schedule, std::uint32_t copies) {
  const ScheduleVerdict verdict = verify_schedule(netlist, netlist, schedule);
  ASSERT_FALSE(verdict.fault) << verdict.fault->message;
  EXPECT_EQ(verdict.figures.copies, copies);
}

/// Does every gate run once, after those it reads?
inline bool is_topological(const Problem& problem, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint8_t> done(problem.gate_count(), 0);
  for (const std::uint32_t gate : order) {
    for (const Value value : problem.fanins(gate))
      if (value != no_value && !problem.is_input(value) && done[problem.gate_of(value)] == 0) return false;
    if (std::exchange(done[gate], 1) != 0) return false;
  }
  return order.size() == problem.gate_count();
}

}  // namespace nestor::simd
