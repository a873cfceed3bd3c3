// SPDX-License-Identifier: Apache-2.0
// Implementation of the calls of nestor_files.h for machines, networks and mappings. They read and write
// files with io, and convert the content to the plain structures of nestor.h. No exception leaves these
// functions.
#include "bindings/c/nestor_files.h"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/c/message.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/neighbours/neighbours.h"
#include "model/workload/groups.h"

using nestor::Mapping;
using nestor::c_api::tell;

struct nestor_task {
  nestor::NamedArchitecture architecture;
  nestor::Network network;
  std::vector<nestor_memory> memories;
  std::vector<nestor_axis> axes;
  nestor_machine machine{};
  std::vector<nestor_layer> layers;
  std::vector<std::optional<Mapping>> mappings;
};

namespace {

void describe_machine(const nestor::Architecture& from, nestor_task& task) {
  for (const nestor::Memory& memory : from.memories)
    task.memories.push_back({.operands = static_cast<nestor_set>(memory.operands.bits()),
                             .axes_above = memory.axes_above,
                             .double_buffer = static_cast<std::uint8_t>(memory.double_buffer),
                             .capacity = memory.capacity == nestor::unlimited_capacity ? 0 : memory.capacity,
                             .bandwidth = memory.bandwidth,
                             .read_energy = memory.read_energy,
                             .write_energy = memory.write_energy});
  for (const nestor::Axis& axis : from.axes)
    task.axes.push_back({.dims = static_cast<nestor_set>(axis.dims.bits()), .size = axis.size});
  task.machine = {.memories = task.memories.data(),
                  .axes = task.axes.data(),
                  .memory_count = static_cast<std::uint8_t>(task.memories.size()),
                  .axis_count = static_cast<std::uint8_t>(task.axes.size()),
                  .mvm_cycles = from.mvm_cycles,
                  .mac_energy = from.mac_energy,
                  .leakage = from.leakage};
}

nestor_layer describe_layer(const nestor::LayerShape& from) {
  nestor_layer to{};
  for (std::size_t d = 0; d < nestor::dim_count; ++d) to.bounds[d] = from.bounds[d];
  for (std::size_t direction = 0; direction < 2; ++direction) {
    to.stride[direction] = from.stride[direction];
    to.dilation[direction] = from.dilation[direction];
  }
  to.input_bits = from.bits.input;
  to.weight_bits = from.bits.weight;
  to.output_bits = from.bits.output;
  to.partial_sum_bits = from.bits.partial_sum;
  return to;
}

// Returns nothing if a count or a position is out of range.
std::optional<Mapping> mapping_of(const nestor_mapping& from, const nestor::Architecture& machine) {
  Mapping to;
  if (from.loop_count > nestor::max_loops) return std::nullopt;
  for (std::size_t a = 0; a < nestor::max_axes; ++a)
    for (std::size_t d = 0; d < nestor::dim_count; ++d) to.spatial[a][d] = from.spatial[a][d];
  for (std::size_t i = 0; i < from.loop_count; ++i) {
    const nestor_loop& loop = from.loops[i];
    if (loop.dim >= nestor::dim_count) return std::nullopt;
    nestor::Loop placed{.dim = static_cast<nestor::Dim>(loop.dim), .factor = loop.factor};
    for (std::size_t x = 0; x < nestor::operand_count; ++x) {
      if (loop.at[x] >= machine.memories.size()) return std::nullopt;
      placed.at[x] = loop.at[x];
    }
    to.loops.push_back(placed);
  }
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const nestor::Operand operand : nestor::all_operands)
      if ((from.double_buffered[m] >> nestor::index_of(operand) & 1U) != 0)
        to.double_buffered[m].insert(operand);
  return to;
}

// Calls `act`; if it throws, stores the message and returns NESTOR_BAD_FILE.
template <typename Act>
nestor_status guarded(char* message, std::size_t bytes, Act act) {
  try {
    return act();
  } catch (const std::exception& fault) {
    tell(fault.what(), message, bytes);
    return NESTOR_BAD_FILE;
  }
}

}  // namespace

nestor_status nestor_open_for(uint32_t abi, nestor_task** task, const char* architecture, const char* layers,
                              char* message, size_t message_bytes) {
  if (task != nullptr) *task = nullptr;
  tell("", message, message_bytes);
  if (abi != NESTOR_ABI) return NESTOR_ABI_MISMATCH;
  if (task == nullptr || architecture == nullptr || layers == nullptr) return NESTOR_BAD_ARGUMENT;
  return guarded(message, message_bytes, [&] {
    const auto machine = nestor::io::read_architecture(architecture);
    if (!machine) return tell(machine.error().to_string(), message, message_bytes), NESTOR_BAD_FILE;
    auto network = nestor::io::neighbours::read_network(layers);
    if (!network) return tell(network.error().to_string(), message, message_bytes), NESTOR_BAD_FILE;
    nestor::groups_to_dimension(network->layers, machine->machine);
    auto made = std::make_unique<nestor_task>();
    made->architecture = *machine;
    made->network = *network;
    describe_machine(machine->machine, *made);
    for (const nestor::Layer& layer : network->layers) made->layers.push_back(describe_layer(layer.shape));
    made->mappings.resize(made->layers.size());
    *task = made.release();
    return NESTOR_RUNNING;
  });
}

void nestor_close(nestor_task* task) { delete task; }

const nestor_machine* nestor_task_machine(const nestor_task* task) {
  return task == nullptr ? nullptr : &task->machine;
}
const char* nestor_task_memory_name(const nestor_task* task, size_t index) {
  if (task == nullptr || index >= task->architecture.memory_names.size()) return nullptr;
  return task->architecture.memory_names[index].c_str();
}
const char* nestor_task_axis_name(const nestor_task* task, size_t index) {
  if (task == nullptr || index >= task->architecture.axis_names.size()) return nullptr;
  return task->architecture.axis_names[index].c_str();
}
size_t nestor_task_layer_count(const nestor_task* task) { return task == nullptr ? 0 : task->layers.size(); }
const nestor_layer* nestor_task_layer(const nestor_task* task, size_t index) {
  return index < nestor_task_layer_count(task) ? &task->layers[index] : nullptr;
}
const char* nestor_task_layer_name(const nestor_task* task, size_t index) {
  return index < nestor_task_layer_count(task) ? task->network.layers[index].name.c_str() : nullptr;
}
int64_t nestor_task_layer_repeat(const nestor_task* task, size_t index) {
  return index < nestor_task_layer_count(task) ? task->network.layers[index].repeat : 0;
}

size_t nestor_nest_text(const nestor_task* task, const nestor_mapping* mapping, char* text,
                        size_t text_bytes) {
  tell("", text, text_bytes);
  std::size_t length = 0;
  if (task == nullptr || mapping == nullptr) return length;
  guarded(nullptr, 0, [&] {
    const auto known = mapping_of(*mapping, task->architecture.machine);
    if (!known) return NESTOR_BAD_ARGUMENT;
    std::string nest;
    for (const nestor::Loop& loop : known->loops) {
      nest += std::string("  for ") + nestor::letter(loop.dim) + " in 0.." + std::to_string(loop.factor - 1);
      for (std::size_t x = 0; x < nestor::operand_count; ++x)
        nest += std::string(x == 0 ? ": " : ", ") + "IWO"[x] + " in " +
                task->architecture.memory_names[loop.at[x]];
      nest += "\n";
    }
    tell(nest, text, text_bytes);
    length = nest.size();
    return NESTOR_RUNNING;
  });
  return length;
}

nestor_status nestor_keep_mapping(nestor_task* task, size_t index, const nestor_mapping* mapping) {
  if (mapping == nullptr || index >= nestor_task_layer_count(task)) return NESTOR_BAD_ARGUMENT;
  task->mappings[index] = mapping_of(*mapping, task->architecture.machine);
  return task->mappings[index] ? NESTOR_RUNNING : NESTOR_BAD_ARGUMENT;
}

nestor_status nestor_write_mappings(const nestor_task* task, const char* path, char* message,
                                    size_t message_bytes) {
  if (task == nullptr || path == nullptr) return NESTOR_BAD_ARGUMENT;
  return guarded(message, message_bytes, [&] {
    auto list = nestor::io::Json::array();
    for (const auto& mapping : task->mappings) {
      if (!mapping) return NESTOR_NO_MAPPING;
      list.push_back(nestor::io::mapping_to_json(*mapping, task->architecture));
    }
    const auto error = nestor::io::write_file(path, list.dump(1) + "\n");
    if (error) return tell(error->to_string(), message, message_bytes), NESTOR_BAD_FILE;
    return NESTOR_RUNNING;
  });
}
