// SPDX-License-Identifier: Apache-2.0
// Writes tables.c for the firmware: machines and layers as C data (cases.h describes the arguments).
//     firmware_tables CASES... > tables.c
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "firmware/cases.h"

namespace nestor::tests {
namespace {

void print_machine(const Architecture& machine, std::size_t number) {
  fmt::print("static const nestor_memory memories_{}[] = {{\n", number);
  for (const Memory& memory : machine.memories)
    fmt::print("    {{{}, {}, {}, INT64_C({}), INT64_C({}), {}, {}}},\n", memory.operands.bits(),
               memory.axes_above, memory.double_buffer ? 1 : 0,
               memory.capacity == unlimited_capacity ? 0 : memory.capacity, memory.bandwidth,
               memory.read_energy, memory.write_energy);
  fmt::print("}};\nstatic const nestor_axis axes_{}[] = {{\n", number);
  for (const Axis& axis : machine.axes) fmt::print("    {{{}, {}}},\n", axis.dims.bits(), axis.size);
  if (machine.axes.empty()) fmt::print("    {{0, 1}},\n");
  fmt::print(
      "}};\nstatic const nestor_machine machine_{0} = {{memories_{0}, axes_{0}, {1}, {2}, {3}, {4}, {5}}};\n",
      number, machine.memories.size(), machine.axes.size(), machine.mvm_cycles, machine.mac_energy,
      machine.leakage);
}

void print_layer(const Layer& layer) {
  const LayerShape& shape = layer.shape;
  fmt::print("    {{\"{}\", {{{{{}, {}, {}, {}, {}, {}, {}}}, ", layer.name, shape.bounds[0], shape.bounds[1],
             shape.bounds[2], shape.bounds[3], shape.bounds[4], shape.bounds[5], shape.bounds[6]);
  fmt::print("{{{}, {}}}, {{{}, {}}}, {}, {}, {}, {}}}}},\n", shape.stride[0], shape.stride[1],
             shape.dilation[0], shape.dilation[1], shape.bits.input, shape.bits.weight, shape.bits.output,
             shape.bits.partial_sum);
}

std::string options_of(const FirmwareCase& c) {
  const char* kind = c.objective.kind == cim::ObjectiveKind::energy ? "NESTOR_ENERGY"
                     : c.objective.kind == cim::ObjectiveKind::edp  ? "NESTOR_EDP"
                                                                    : "NESTOR_LATENCY";
  const char* model =
      c.objective.latency_model == cim::LatencyModel::miredo ? "NESTOR_MIREDO" : "NESTOR_STALL";
  return fmt::format("{{{}, {}, {}, {}}}", kind, model, c.steps, c.workspace);
}

void print_tables(const std::vector<FirmwareCase>& cases) {
  fmt::print("#include \"tables.h\"\n\n");
  std::string list;
  std::size_t most = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    print_machine(cases[i].machine, i);
    fmt::print("static const named_layer layers_{}[] = {{\n", i);
    for (const Layer& layer : cases[i].layers) print_layer(layer);
    fmt::print("}};\n\n");
    list += fmt::format("    {{\"{}\", &machine_{}, layers_{}, {}, {}}},\n", cases[i].name, i, i,
                        cases[i].layers.size(), options_of(cases[i]));
    most = std::max(most, cases[i].workspace);
  }
  fmt::print("const network networks[] = {{\n{}}};\nconst unsigned network_count = {};\n\n", list,
             cases.size());
  fmt::print("static unsigned char memory[STATE_BYTES + {0}];\nunsigned char* const arena = memory;\n", most);
  fmt::print("const size_t arena_bytes = sizeof memory;\n");
}

}  // namespace
}  // namespace nestor::tests

int main(int argc, char** argv) { nestor::tests::print_tables(nestor::tests::firmware_cases(argc, argv)); }
