// SPDX-License-Identifier: Apache-2.0
// Tests of the C API as firmware uses it: arenas of many sizes, several problems at once, limits, cancelling,
// and invalid arguments.
#include "c_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/random.h"
#include "model/cim/evaluate.h"
#include "model/loopnest/rules/legality.h"

namespace {

struct Found {
  nestor_status status = NESTOR_RUNNING;
  bool mapped = false;
  double cost = 0;
  double bound = 0;
  nestor_mapping mapping{};
};

Found read(const nestor_problem* problem, nestor_status status) {
  Found found{.status = status, .cost = nestor_cost(problem), .bound = nestor_bound(problem)};
  found.mapped = nestor_get_mapping(problem, &found.mapping) == NESTOR_RUNNING;
  return found;
}

nestor::Mapping in_cpp(const nestor_mapping& from) {
  nestor::Mapping to;
  for (std::size_t a = 0; a < axes.size(); ++a)
    for (std::size_t d = 0; d < nestor::dim_count; ++d) to.spatial[a][d] = from.spatial[a][d];
  for (std::size_t i = 0; i < from.loop_count; ++i) {
    const nestor_loop& loop = from.loops[i];
    to.loops.push_back(
        {static_cast<nestor::Dim>(loop.dim), loop.factor, {loop.at[0], loop.at[1], loop.at[2]}});
  }
  for (std::size_t m = 0; m < memories.size(); ++m)
    for (const nestor::Operand operand : nestor::all_operands)
      if ((from.double_buffered[m] >> nestor::index_of(operand) & 1U) != 0)
        to.double_buffered[m].insert(operand);
  return to;
}

// Returns the cost that the evaluator of the cim space computes for a mapping, or -1 if the mapping is
// illegal.
double cost_by_evaluation(const nestor_mapping& mapping, const nestor_layer& of) {
  nestor::Architecture target;
  for (const nestor_memory& from : memories) {
    nestor::Memory memory;
    for (const nestor::Operand operand : nestor::all_operands)
      if ((from.operands >> nestor::index_of(operand) & 1U) != 0) memory.operands.insert(operand);
    memory.capacity = from.capacity == 0 ? nestor::unlimited_capacity : from.capacity;
    memory.bandwidth = from.bandwidth;
    memory.double_buffer = from.double_buffer != 0;
    memory.axes_above = from.axes_above;
    target.memories.push_back(memory);
  }
  target.axes.push_back({.size = 32, .dims = nestor::DimSet::of(nestor::Dim::C, nestor::Dim::R)});
  target.axes.push_back({.size = 8, .dims = nestor::DimSet::of(nestor::Dim::K)});
  target.mvm_cycles = 4;
  nestor::LayerShape shape;
  for (std::size_t d = 0; d < nestor::dim_count; ++d) shape.bounds[d] = of.bounds[d];
  shape.bits = {.input = 8, .weight = 8, .output = 8, .partial_sum = 32};
  if (nestor::find_violation(shape, target, in_cpp(mapping))) return -1;
  return static_cast<double>(
      nestor::cim::evaluate(shape, target, in_cpp(mapping)).cycles(nestor::cim::LatencyModel::stall));
}

TEST(CApi, AcceptsAnArenaOfAnySize) {
  const nestor_machine target = machine();
  const nestor_layer nest = layer(16);
  constexpr unsigned char canary = 0xA5;
  double best = 0;
  double before = 0;
  std::array<std::size_t, 3> outcomes{};  // arena too small, memory limit, optimal
  std::size_t with_mapping_unproved = 0;
  std::size_t worse = 0;
  Bytes plenty(nestor_arena_bytes(nestor_workspace_bytes(&target, &nest)));
  nestor_problem* problem = nullptr;
  ASSERT_EQ(nestor_create(&problem, plenty.data(), plenty.size(), &target, &nest, nullptr), NESTOR_RUNNING);
  ASSERT_EQ(nestor_solve(problem), NESTOR_OPTIMAL);
  best = nestor_cost(problem);

  const std::size_t state = nestor_arena_bytes(0);
  for (std::size_t bytes = 0; bytes < state + 48 * 1024; bytes += bytes < state ? 509 : 127) {
    SCOPED_TRACE(bytes);
    Bytes arena(bytes + 1 + 64, canary);
    nestor_status status = nestor_create(&problem, arena.data() + 1, bytes, &target, &nest, nullptr);
    if (status == NESTOR_ARENA_TOO_SMALL) {
      EXPECT_LT(bytes, state);
      EXPECT_EQ(problem, nullptr);
      ++outcomes[0];
      continue;
    }
    ASSERT_EQ(status, NESTOR_RUNNING);
    const Found found = read(problem, nestor_solve(problem));
    EXPECT_TRUE(std::all_of(arena.begin() + 1 + static_cast<std::ptrdiff_t>(bytes), arena.end(),
                            [](unsigned char byte) { return byte == canary; }));
    EXPECT_LE(nestor_peak_bytes(problem), bytes);
    ASSERT_LE(found.bound, best);
    ASSERT_GE(found.cost, best);
    if (found.mapped) {
      ASSERT_EQ(cost_by_evaluation(found.mapping, nest), found.cost);
    }
    if (found.status == NESTOR_OPTIMAL) {
      ASSERT_EQ(found.cost, best);
      ++outcomes[2];
    } else {
      ASSERT_EQ(found.status, NESTOR_MEMORY_LIMIT);
      ++outcomes[1];
      with_mapping_unproved += static_cast<std::size_t>(found.mapped);
    }
    worse += static_cast<std::size_t>(before != 0 && found.cost > before);
    before = found.cost;
  }
  RecordProperty("arenas_worse_than_the_next_smaller_one", static_cast<int>(worse));
  std::printf(
      "%zu arenas too small, %zu short of memory (%zu with a mapping), %zu proved; %zu times a larger one "
      "gave less\n",
      outcomes[0], outcomes[1], with_mapping_unproved, outcomes[2], worse);
  for (const std::size_t count : outcomes) EXPECT_GT(count, 5U);
}

TEST(CApi, WorksOnSeveralProblemsAtOnce) {
  const nestor_machine target = machine();
  const std::array<std::int64_t, 3> channels = {8, 12, 16};
  std::array<Bytes, 3> arenas;
  std::array<nestor_problem*, 3> problems{};
  std::array<nestor_layer, 3> layers;
  std::array<Found, 3> alone;
  for (std::size_t i = 0; i < 3; ++i) {
    layers[i] = layer(channels[i]);
    arenas[i].resize(nestor_arena_bytes(64 * 1024));
    ASSERT_EQ(nestor_create(&problems[i], arenas[i].data(), arenas[i].size(), &target, &layers[i], nullptr),
              NESTOR_RUNNING);
    alone[i] = read(problems[i], nestor_solve(problems[i]));
    ASSERT_EQ(nestor_create(&problems[i], arenas[i].data(), arenas[i].size(), &target, &layers[i], nullptr),
              NESTOR_RUNNING);
  }
  std::array<nestor_status, 3> status{};
  while (std::count(status.begin(), status.end(), NESTOR_RUNNING) > 0)
    for (std::size_t i = 0; i < 3; ++i)
      if (status[i] == NESTOR_RUNNING) status[i] = nestor_step(problems[i], 3 + i);
  for (std::size_t i = 0; i < 3; ++i) {
    const Found found = read(problems[i], status[i]);
    EXPECT_EQ(found.status, alone[i].status);
    EXPECT_EQ(found.cost, alone[i].cost);
    EXPECT_EQ(in_cpp(found.mapping), in_cpp(alone[i].mapping));
  }
}

TEST(CApi, ResumesAfterCancellationOrALimit) {
  const nestor_machine target = machine();
  const nestor_layer nest = layer(16);
  Bytes arena(nestor_arena_bytes(64 * 1024));
  nestor_problem* problem = nullptr;
  const nestor_options options = {NESTOR_LATENCY, NESTOR_STALL, 10, 0};
  ASSERT_EQ(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, &options), NESTOR_RUNNING);
  EXPECT_EQ(nestor_solve(problem), NESTOR_WORK_LIMIT);
  EXPECT_EQ(nestor_nodes(problem), 10U);

  ASSERT_EQ(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, nullptr), NESTOR_RUNNING);
  const Found whole = read(problem, nestor_solve(problem));
  ASSERT_EQ(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, nullptr), NESTOR_RUNNING);
  nestor_cancel(problem);
  EXPECT_EQ(nestor_solve(problem), NESTOR_CANCELLED);
  EXPECT_LE(nestor_bound(problem), whole.cost);
  const Found resumed = read(problem, nestor_solve(problem));
  EXPECT_EQ(resumed.status, NESTOR_OPTIMAL);
  EXPECT_EQ(in_cpp(resumed.mapping), in_cpp(whole.mapping));
}

TEST(CApi, ReportsErrors) {
  const nestor_machine good = machine();
  const nestor_layer nest = layer(8);
  Bytes arena(nestor_arena_bytes(32 * 1024));
  nestor_problem* problem = nullptr;
  const auto create = [&](const nestor_machine& target, const nestor_layer& shape) {
    return nestor_create(&problem, arena.data(), arena.size(), &target, &shape, nullptr);
  };
  EXPECT_EQ(create(good, nest), NESTOR_RUNNING);
  EXPECT_EQ(nestor_create_for(NESTOR_ABI + 1, &problem, arena.data(), arena.size(), &good, &nest, nullptr),
            NESTOR_ABI_MISMATCH);
  EXPECT_EQ(problem, nullptr);  // the example in the documentation relies on this
  EXPECT_EQ(nestor_has_mapping(problem), 0);
  EXPECT_EQ(nestor_create(nullptr, arena.data(), arena.size(), &good, &nest, nullptr), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_create(&problem, arena.data(), arena.size(), nullptr, &nest, nullptr),
            NESTOR_BAD_ARGUMENT);
  nestor_machine bad = good;
  bad.mvm_cycles = 0;
  EXPECT_EQ(create(bad, nest), NESTOR_BAD_ARGUMENT);
  bad = good;
  bad.memory_count = NESTOR_MAX_MEMORIES + 1;
  EXPECT_EQ(create(bad, nest), NESTOR_BAD_ARGUMENT);
  bad = good;
  bad.mac_energy = -1;
  EXPECT_EQ(create(bad, nest), NESTOR_BAD_ARGUMENT);
  nestor_layer huge = nest;
  huge.bounds[NESTOR_N] = INT64_MAX;
  EXPECT_LT(create(good, huge), 0);
  huge.bounds[NESTOR_N] = 0;
  EXPECT_EQ(create(good, huge), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_step(nullptr, 1), NESTOR_BAD_ARGUMENT);
  EXPECT_EQ(nestor_abi(), NESTOR_ABI);
  for (int status = NESTOR_BAD_FILE; status <= NESTOR_CANCELLED; ++status)
    EXPECT_STRNE(nestor_status_text(static_cast<nestor_status>(status)), "unknown status");
}

TEST(CApi, FindsAMappingForEveryObjectiveInTheSmallestArena) {
  const nestor_machine target = machine();
  const nestor_layer nest = layer(16);
  Bytes plenty(nestor_arena_bytes(nestor_workspace_bytes(&target, &nest)));
  for (const nestor_objective objective : {NESTOR_LATENCY, NESTOR_ENERGY, NESTOR_EDP})
    for (const nestor_latency_model model : {NESTOR_STALL, NESTOR_MIREDO}) {
      SCOPED_TRACE(objective * 2 + model);
      const nestor_options options = {objective, model, 0, 0};
      nestor_problem* problem = nullptr;
      ASSERT_EQ(nestor_create(&problem, plenty.data(), plenty.size(), &target, &nest, &options),
                NESTOR_RUNNING);
      ASSERT_EQ(nestor_solve(problem), NESTOR_OPTIMAL);
      const double best = nestor_cost(problem);
      double before = 0;
      for (const std::size_t workspace : {0U, 4096U, 8192U}) {
        Bytes arena(nestor_arena_bytes(workspace));
        ASSERT_EQ(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, &options),
                  NESTOR_RUNNING);
        const Found found = read(problem, nestor_solve(problem));
        ASSERT_TRUE(found.mapped);
        EXPECT_LE(found.bound, best * (1 + 1e-9));
        EXPECT_GE(found.cost, best * (1 - 1e-9));
        EXPECT_LT(found.cost, 3 * best);
        EXPECT_GE(found.bound, before);
        before = found.bound;
        nestor_evaluation evaluation;
        ASSERT_EQ(nestor_evaluate(problem, &found.mapping, &evaluation), NESTOR_RUNNING);
        EXPECT_NEAR(evaluation.cost, found.cost, 1e-9 * found.cost);
      }
      EXPECT_GT(before, best / 3);
    }
}

// Changes a mapping at random. The API accepts every legal mapping and computes the evaluator's cost for it.
TEST(CApi, EvaluatesOnlyLegalMappings) {
  const nestor_machine target = machine();
  const nestor_layer nest = layer(16);
  Bytes arena(nestor_arena_bytes(64 * 1024));
  nestor_problem* problem = nullptr;
  ASSERT_EQ(nestor_create(&problem, arena.data(), arena.size(), &target, &nest, nullptr), NESTOR_RUNNING);
  const Found found = read(problem, nestor_solve(problem));
  ASSERT_TRUE(found.mapped);
  nestor::Random random(7);
  std::array<std::size_t, 2> outcomes{};
  for (int round = 0; round < 20000; ++round) {
    nestor_mapping mapping = found.mapping;
    const std::uint64_t changes = 1 + random.below(2);
    for (std::uint64_t i = 0; i < changes; ++i) {
      nestor_loop& loop = mapping.loops[random.below(found.mapping.loop_count)];
      switch (random.below(7)) {
        case 0:
          loop.dim = static_cast<std::uint8_t>(random.below(9));
          break;
        case 1:
          loop.at[random.below(3)] = static_cast<std::uint8_t>(random.below(7));
          break;
        case 2:
          loop.factor = static_cast<std::int64_t>(random.below(6)) - 1;
          break;
        case 3:
          mapping.spatial[random.below(2)][random.below(7)] = static_cast<std::int64_t>(random.below(5));
          break;
        case 4:
          mapping.double_buffered[random.below(memories.size())] ^=
              static_cast<nestor_set>(1U << random.below(4));
          break;
        case 5:
          std::swap(loop, mapping.loops[random.below(found.mapping.loop_count)]);
          break;
        default:
          mapping.loop_count = static_cast<std::uint32_t>(random.below(80));
          break;
      }
    }
    nestor_evaluation evaluation{};
    const nestor_status status = nestor_evaluate(problem, &mapping, &evaluation);
    bool readable = mapping.loop_count <= NESTOR_MAX_LOOPS;
    for (std::uint32_t i = 0; readable && i < mapping.loop_count; ++i) {
      readable = mapping.loops[i].dim < NESTOR_DIMS;
      for (const std::uint8_t at : mapping.loops[i].at) readable = readable && at < memories.size();
    }
    if (!readable) {
      ASSERT_EQ(status, NESTOR_BAD_ARGUMENT);
      continue;
    }
    const double cost = cost_by_evaluation(mapping, nest);
    if (status == NESTOR_RUNNING && cost > 0) {
      ASSERT_EQ(evaluation.cost, cost);
    }
    ASSERT_TRUE(status == NESTOR_RUNNING || cost < 0);  // every legal mapping is evaluated
    ++outcomes[status == NESTOR_RUNNING ? 1 : 0];
  }
  EXPECT_GT(outcomes[0], 1000U);
  EXPECT_GT(outcomes[1], 1000U);
}

}  // namespace
