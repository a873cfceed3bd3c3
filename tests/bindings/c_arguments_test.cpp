// SPDX-License-Identifier: Apache-2.0
// Tests of the arguments of nestor_create. nestor_fault names an invalid argument, and nestor_create rejects
// it. If no mapping fits the machine, the layer is reported as infeasible for arenas of any size. Prime
// bounds below 2^31 are accepted.
#include <gtest/gtest.h>

#include <cstring>

#include "c_machine.h"

namespace {

TEST(CApi, NamesTheArgumentAtFault) {
  struct Case {
    const char* name;
    unsigned index;
    void (*corrupt)(std::vector<nestor_memory>&, nestor_machine&, nestor_layer&, nestor_options&);
  };
  using Memories = std::vector<nestor_memory>;
  const std::array<Case, 12> faults = {{
      {"machine.memories", 0,
       [](Memories&, nestor_machine& m, nestor_layer&, nestor_options&) { m.memories = nullptr; }},
      {"machine.mvm_cycles", 0,
       [](Memories&, nestor_machine& m, nestor_layer&, nestor_options&) { m.mvm_cycles = 0; }},
      {"machine.memories[].bandwidth", 2,
       [](Memories& of, nestor_machine&, nestor_layer&, nestor_options&) { of[2].bandwidth = 0; }},
      {"machine.memories[].axes_above", 3,
       [](Memories& of, nestor_machine&, nestor_layer&, nestor_options&) { of[3].axes_above = 9; }},
      {"machine.memories[].read_energy", 1,
       [](Memories& of, nestor_machine&, nestor_layer&, nestor_options&) { of[1].read_energy = -1; }},
      {"machine.memories", 1,
       [](Memories& of, nestor_machine&, nestor_layer&, nestor_options&) {
         of[0].operands = of[1].operands = 5;
       }},
      {"machine.memories[].capacity", 3,
       [](Memories& of, nestor_machine&, nestor_layer&, nestor_options&) { of[3].capacity = 31; }},
      {"layer.bounds[]", 3,
       [](Memories&, nestor_machine&, nestor_layer& l, nestor_options&) { l.bounds[3] = 0; }},
      {"layer.bounds", 0,
       [](Memories&, nestor_machine&, nestor_layer& l, nestor_options&) { l.bounds[3] = INT64_MAX; }},
      {"layer.dilation[]", 1,
       [](Memories&, nestor_machine&, nestor_layer& l, nestor_options&) { l.dilation[1] = -1; }},
      {"layer.weight_bits", 0,
       [](Memories&, nestor_machine&, nestor_layer& l, nestor_options&) { l.weight_bits = 0; }},
      {"options.objective", 0,
       [](Memories&, nestor_machine&, nestor_layer&, nestor_options& o) {
         const unsigned char none = 77;  // invalid value that a C program may pass
         std::memcpy(&o.objective, &none, 1);
       }},
  }};
  for (const Case& fault : faults) {
    SCOPED_TRACE(fault.name);
    Memories of(memories.begin(), memories.end());
    nestor_machine target = machine();
    target.memories = of.data();
    nestor_layer nest = layer(8);
    nestor_options options{};
    EXPECT_EQ(nestor_fault(&target, &nest, &options, nullptr), nullptr);
    fault.corrupt(of, target, nest, options);
    unsigned index = 99;
    EXPECT_STREQ(nestor_fault(&target, &nest, &options, &index), fault.name);
    EXPECT_EQ(index, fault.index);
    Bytes arena(nestor_arena_bytes(1024));
    nestor_problem* problem = nullptr;
    EXPECT_NE(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, &options), NESTOR_RUNNING);
    EXPECT_EQ(problem, nullptr);
  }
}

TEST(CApi, ReportsImmediatelyThatNothingFits) {
  std::vector<nestor_memory> small(memories.begin(), memories.end());
  nestor_machine target = machine();
  target.memories = small.data();
  const nestor_layer nest = layer(8);
  for (const std::size_t m : {2U, 3U, 4U}) {
    const std::int64_t enough = m == 3 ? nest.partial_sum_bits : nest.input_bits;
    for (const std::int64_t capacity : {enough, enough - 1}) {
      SCOPED_TRACE(capacity);
      small[m].capacity = capacity;
      for (const std::size_t bytes : {std::size_t{1}, nestor_arena_bytes(0), nestor_arena_bytes(1 << 20U)}) {
        Bytes arena(bytes);
        nestor_problem* problem = nullptr;
        const nestor_status status = nestor_create(&problem, arena.data(), bytes, &target, &nest, nullptr);
        if (capacity < enough) {
          EXPECT_EQ(status, NESTOR_INFEASIBLE);
          EXPECT_EQ(problem, nullptr);
        } else if (bytes > 1) {
          ASSERT_EQ(status, NESTOR_RUNNING);
          nestor_solve(problem);
          EXPECT_EQ(nestor_has_mapping(problem), 1);
        }
      }
      small[m].capacity = memories[m].capacity;
    }
  }
}

// nestor_create accepts the largest prime below 2^31 as a bound and rejects larger bounds. Products of such
// bounds are rejected instead of overflowing.
TEST(CApi, AcceptsLargePrimes) {
  const nestor_machine target = machine();
  const auto status_of = [&](std::int64_t bound, unsigned dim) {
    nestor_layer nest = layer(1);
    nest.bounds[dim] = bound;
    Bytes arena(nestor_arena_bytes(32 * 1024));
    nestor_problem* problem = nullptr;
    nestor_status status = nestor_create(&problem, arena.data(), arena.size(), &target, &nest, nullptr);
    EXPECT_EQ(problem != nullptr, status == NESTOR_RUNNING);
    EXPECT_EQ(nestor_workspace_bytes(&target, &nest) > 0, status == NESTOR_RUNNING);
    if (status == NESTOR_RUNNING) {
      status = nestor_solve(problem);
      EXPECT_GE(nestor_cost(problem), static_cast<double>(bound));
      EXPECT_LE(nestor_bound(problem), nestor_cost(problem));
    }
    return status;
  };
  for (unsigned dim = 0; dim < NESTOR_DIMS; ++dim) {
    SCOPED_TRACE(dim);
    EXPECT_EQ(status_of(2147483647, dim), NESTOR_OPTIMAL);
    for (const std::int64_t bound : {std::int64_t{2147483648}, std::int64_t{4294967311}, INT64_MAX})
      EXPECT_EQ(status_of(bound, dim), NESTOR_TOO_LARGE);
  }
  nestor_layer nest = layer(1);
  nest.bounds[NESTOR_N] = nest.bounds[NESTOR_K] = nest.bounds[NESTOR_C] = 2147483629;
  EXPECT_STREQ(nestor_fault(&target, &nest, nullptr, nullptr), "layer.bounds");
}

}  // namespace
