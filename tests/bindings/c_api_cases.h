// A small machine and layers as the C API takes them, and mappings read back and evaluated by the model.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "model/cim/evaluate.h"
#include "model/loopnest/rules/legality.h"
#include "nestor.h"

using Bytes = std::vector<unsigned char>;

inline constexpr nestor_set all = 1U << NESTOR_INPUT | 1U << NESTOR_WEIGHT | 1U << NESTOR_OUTPUT;

// A macro of 32 rows and 8 columns behind a buffer of 8 KiB.
inline const std::array<nestor_memory, 5> memories = {{
    {all, 0, 0, 0, 32, 2, 2},
    {all, 0, 1, 8 * 1024 * 8, 64, 0.5, 0.5},
    {1U << NESTOR_INPUT, 0, 1, 512, 128, 0.1, 0.1},
    {1U << NESTOR_OUTPUT, 1, 0, 512, 128, 0.1, 0.1},
    {1U << NESTOR_WEIGHT, 2, 0, 64, 64, 0.1, 0.1},
}};
inline const std::array<nestor_axis, 2> axes = {{{1U << NESTOR_C | 1U << NESTOR_R, 32}, {1U << NESTOR_K, 8}}};

inline nestor_machine machine() {
  return {memories.data(), axes.data(), memories.size(), axes.size(), 4, 0.1, 0};
}
inline nestor_layer layer(std::int64_t channels) {
  return {{1, channels, channels, 6, 6, 3, 3}, {1, 1}, {1, 1}, 8, 8, 8, 32};
}

struct Found {
  nestor_status status = NESTOR_RUNNING;
  bool mapped = false;
  double cost = 0;
  double bound = 0;
  nestor_mapping mapping{};
};

inline Found read(const nestor_problem* problem, nestor_status status) {
  Found found{.status = status, .cost = nestor_cost(problem), .bound = nestor_bound(problem)};
  found.mapped = nestor_get_mapping(problem, &found.mapping) == NESTOR_RUNNING;
  return found;
}

inline nestor::Mapping in_cpp(const nestor_mapping& from) {
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

// The machine and a layer in the terms of the evaluator, which the search does not use.
inline double cost_by_evaluation(const nestor_mapping& mapping, const nestor_layer& of) {
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
