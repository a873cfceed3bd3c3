// Writes tables.c for the firmware: a machine and networks as C data.
//     make_tables ARCHITECTURE NETWORK... > tables.c
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "io/architecture_file.h"
#include "io/layer_file.h"

namespace nestor {
namespace {

int fail(const io::Error& error) {
  fmt::print(stderr, "{}\n", error.to_string());
  return 3;
}

void print_machine(const Architecture& machine) {
  fmt::print("static const nestor_memory memories[] = {{\n");
  for (const Memory& memory : machine.memories)
    fmt::print("    {{{}, {}, {}, INT64_C({}), INT64_C({}), {}, {}}},\n", memory.operands.bits(),
               memory.axes_above, memory.double_buffer ? 1 : 0,
               memory.capacity == unlimited_capacity ? 0 : memory.capacity, memory.bandwidth,
               memory.read_energy, memory.write_energy);
  fmt::print("}};\nstatic const nestor_axis axes[] = {{\n");
  for (const Axis& axis : machine.axes) fmt::print("    {{{}, {}}},\n", axis.dims.bits(), axis.size);
  fmt::print("}};\nconst nestor_machine machine = {{memories, axes, {}, {}, {}, {}, {}}};\n\n",
             machine.memories.size(), machine.axes.size(), machine.mvm_cycles, machine.mac_energy,
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

int run(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: make_tables ARCHITECTURE NETWORK...\n");
    return 2;
  }
  const auto machine = io::read_architecture(argv[1]);
  if (!machine) return fail(machine.error());
  fmt::print("#include \"tables.h\"\n\n");
  print_machine(machine->machine);
  std::string list;
  for (int i = 2; i < argc; ++i) {
    const auto network = io::read_layers(argv[i]);
    if (!network) return fail(network.error());
    fmt::print("static const named_layer layers_{}[] = {{\n", i - 2);
    for (const Layer& layer : network->layers) print_layer(layer);
    fmt::print("}};\n\n");
    list += fmt::format("    {{\"{}\", layers_{}, {}}},\n", network->name, i - 2, network->layers.size());
  }
  fmt::print("const network networks[] = {{\n{}}};\nconst unsigned network_count = {};\n", list, argc - 2);
  return 0;
}

}  // namespace
}  // namespace nestor

int main(int argc, char** argv) { return nestor::run(argc, argv); }
