// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/arguments.h"

#include <array>
#include <limits>

#include "model/cim/search/admission.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::c {
namespace {

// Limit on the bound of a dimension, so that factorising a bound takes at most a few tens of thousands of
// 32-bit divisions.
constexpr Int most_bound = std::numeric_limits<std::int32_t>::max();

[[maybe_unused]] bool is_energy(double energy) { return energy >= 0 && energy <= 1e30; }

void judge_machine(const nestor_machine& machine, Verdict& verdict) {
  verdict.require(machine.memories != nullptr, "machine.memories");
  verdict.require(machine.memory_count <= max_memories, "machine.memory_count");
  verdict.require(machine.axes != nullptr || machine.axis_count == 0, "machine.axes");
  verdict.require(machine.axis_count <= max_axes, "machine.axis_count");
  verdict.require(machine.mvm_cycles > 0, "machine.mvm_cycles");
  if constexpr (!latency_only) {
    verdict.require(is_energy(machine.mac_energy), "machine.mac_energy");
    verdict.require(is_energy(machine.leakage), "machine.leakage");
  }
  if (verdict.fault != nullptr) return;
  std::uint8_t axes_above = 0;
  for (std::size_t m = 0; m < machine.memory_count; ++m) {
    const nestor_memory& memory = machine.memories[m];
    verdict.require(memory.operands < 1U << NESTOR_OPERANDS, "machine.memories[].operands", m);
    verdict.require(memory.axes_above >= axes_above && memory.axes_above <= machine.axis_count,
                    "machine.memories[].axes_above", m);
    verdict.require(memory.capacity >= 0, "machine.memories[].capacity", m);
    verdict.require(memory.bandwidth > 0, "machine.memories[].bandwidth", m);
    if constexpr (!latency_only) {
      verdict.require(is_energy(memory.read_energy), "machine.memories[].read_energy", m);
      verdict.require(is_energy(memory.write_energy), "machine.memories[].write_energy", m);
    }
    axes_above = memory.axes_above;
  }
  for (std::size_t a = 0; a < machine.axis_count; ++a) {
    verdict.require(machine.axes[a].size > 0, "machine.axes[].size", a);
  }
}

// Returns the bound of a dimension. Callers that do not use groups leave the bound of G at 0.
Int bound(const nestor_layer& layer, std::size_t d) {
  return d == NESTOR_G && layer.bounds[d] == 0 ? 1 : layer.bounds[d];
}

void judge_layer(const nestor_layer& layer, std::int64_t mvm_cycles, Verdict& verdict) {
  for (std::size_t d = 0; d < dim_count; ++d) verdict.require(bound(layer, d) > 0, "layer.bounds[]", d);
  for (std::size_t direction = 0; direction < 2; ++direction) {
    verdict.require(layer.stride[direction] > 0, "layer.stride[]", direction);
    verdict.require(layer.dilation[direction] > 0, "layer.dilation[]", direction);
  }
  verdict.require(layer.input_bits > 0, "layer.input_bits");
  verdict.require(layer.weight_bits > 0, "layer.weight_bits");
  verdict.require(layer.output_bits > 0, "layer.output_bits");
  verdict.require(layer.partial_sum_bits > 0, "layer.partial_sum_bits");
  if (verdict.fault != nullptr) return;
  LayerShape shape;
  copy_layer(layer, shape);
  bool fits = cim::figures_fit(shape, mvm_cycles);
  std::size_t loops = 0;
  for (std::size_t d = 0; d < dim_count && fits; ++d) {
    fits = shape.bounds[d] <= most_bound;
    if (!fits) break;
    const FactorSet factors = prime_factors(shape.bounds[d]);
    loops += static_cast<std::size_t>(factors.size());
    fits = factors.product() == shape.bounds[d] && loops <= max_loops;
  }
  verdict.require(fits, "layer.bounds", 0, NESTOR_TOO_LARGE);
}

void judge_options(const nestor_options& options, Verdict& verdict) {
  const auto objective = raw(options.objective);
  verdict.require(objective == NESTOR_LATENCY ||
                      (!latency_only && (objective == NESTOR_ENERGY || objective == NESTOR_EDP)),
                  "options.objective");
  const auto model = raw(options.latency_model);
  verdict.require(model == NESTOR_STALL || model == NESTOR_MIREDO, "options.latency_model");
}

// Every operand needs two memories, and each innermost memory must be large enough for one element of each of
// its operands. A mapping with all loops at the homes needs the least capacity.
void judge_tiles(const nestor_machine& machine, const nestor_layer& layer, Verdict& verdict) {
  const std::array<Int, operand_count> bits = {layer.input_bits, layer.weight_bits, layer.partial_sum_bits};
  std::array<unsigned, operand_count> memories{};
  for (std::size_t m = 0; m < machine.memory_count; ++m)
    for (std::size_t x = 0; x < operand_count; ++x) memories[x] += holds(machine.memories[m], x) ? 1U : 0U;
  for (std::size_t x = 0; x < operand_count; ++x) verdict.require(memories[x] >= 2, "machine.memories", x);
  std::array<bool, operand_count> seen{};
  for (std::size_t m = machine.memory_count; m-- > 0;) {
    Int needed = 0;
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (!holds(machine.memories[m], x)) continue;
      if (!seen[x]) needed += bits[x];
      seen[x] = true;
    }
    const Int capacity = machine.memories[m].capacity;
    verdict.require(capacity == 0 || needed <= capacity, "machine.memories[].capacity", m, NESTOR_INFEASIBLE);
  }
}

}  // namespace

void copy_layer(const nestor_layer& from, LayerShape& to) {
  for (std::size_t d = 0; d < dim_count; ++d) to.bounds[d] = bound(from, d);
  for (std::size_t direction = 0; direction < 2; ++direction) {
    to.stride[direction] = from.stride[direction];
    to.dilation[direction] = from.dilation[direction];
  }
  to.bits = {.input = from.input_bits,
             .weight = from.weight_bits,
             .output = from.output_bits,
             .partial_sum = from.partial_sum_bits};
}

Verdict judge(const nestor_machine* machine, const nestor_layer* layer, const nestor_options* options) {
  Verdict verdict;
  verdict.require(machine != nullptr, "machine");
  verdict.require(layer != nullptr, "layer");
  if (verdict.fault != nullptr) return verdict;
  judge_machine(*machine, verdict);
  if (options != nullptr) judge_options(*options, verdict);
  judge_layer(*layer, machine->mvm_cycles, verdict);
  if (verdict.fault == nullptr) judge_tiles(*machine, *layer, verdict);
  return verdict;
}

void copy_machine(const nestor_machine& from, Architecture& to) {
  const auto energy = [](double of) { return latency_only ? Cost{0} : static_cast<Cost>(of); };
  for (std::size_t m = 0; m < from.memory_count; ++m) {
    const nestor_memory& memory = from.memories[m];
    Memory copy;
    for (const Operand operand : all_operands)
      if (holds(memory, index_of(operand))) copy.operands.insert(operand);
    copy.capacity = memory.capacity == 0 ? unlimited_capacity : memory.capacity;
    copy.bandwidth = memory.bandwidth;
    copy.double_buffer = memory.double_buffer != 0;
    copy.axes_above = memory.axes_above;
    copy.read_energy = energy(memory.read_energy);
    copy.write_energy = energy(memory.write_energy);
    to.memories.push_back(copy);
  }
  for (std::size_t a = 0; a < from.axis_count; ++a) {
    Axis axis{.size = from.axes[a].size, .dims = {}};
    for (const Dim dim : all_dims)
      if ((from.axes[a].dims >> index_of(dim) & 1U) != 0) axis.dims.insert(dim);
    to.axes.push_back(axis);
  }
  to.mvm_cycles = from.mvm_cycles;
  to.mac_energy = energy(from.mac_energy);
  to.leakage = energy(from.leakage);
}

void set_objective(const nestor_options& options, cim::CimObjective& objective) {
  using cim::LatencyModel;
  using cim::ObjectiveKind;
  objective.kind = options.objective == NESTOR_LATENCY  ? ObjectiveKind::latency
                   : options.objective == NESTOR_ENERGY ? ObjectiveKind::energy
                                                        : ObjectiveKind::edp;
  objective.latency_model =
      options.latency_model == NESTOR_STALL ? LatencyModel::stall : LatencyModel::miredo;
}

bool read_mapping(const nestor_mapping& from, const cim::CimProblem& of, Mapping& to) {
  if (from.loop_count > max_loops) return false;
  for (std::size_t a = 0; a < max_axes; ++a)
    for (std::size_t d = 0; d < dim_count; ++d) to.spatial[a][d] = from.spatial[a][d];
  for (std::size_t i = 0; i < from.loop_count; ++i) {
    const nestor_loop& loop = from.loops[i];
    if (loop.dim >= dim_count) return false;
    to.loops.push_back({.dim = static_cast<Dim>(loop.dim),
                        .factor = loop.factor,
                        .at = {loop.at[0], loop.at[1], loop.at[2]}});
  }
  for (std::size_t m = 0; m < max_memories; ++m)
    for (const Operand operand : all_operands)
      if ((from.double_buffered[m] >> index_of(operand) & 1U) != 0) to.double_buffered[m].insert(operand);
  return is_well_formed(of.layer, of.machine, to);
}

}  // namespace nestor::c
