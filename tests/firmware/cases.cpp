// SPDX-License-Identifier: Apache-2.0
#include "firmware/cases.h"

#include <fmt/format.h>

#include <array>

#include "../bench/inputs.h"
#include "base/random.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/factor_set.h"
#include "support/random_cases.h"

namespace nestor::tests {
namespace {

constexpr std::uint64_t most_steps = 3000;  // step limit of a random case
constexpr std::array<std::size_t, 4> workspaces = {1 << 13U, 1 << 14U, 1 << 15U, 3 << 14U};

std::vector<std::string> parts_of(const std::string& word) {
  std::vector<std::string> parts(1);
  for (const char c : word) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// True if the case is small enough for a device to prove its optimum within a second.
bool is_tiny(const FirmwareCase& c) {
  int factors = 0;
  for (const FactorSet& set : prime_factors(c.layers[0].shape.bounds)) factors += set.size();
  return c.machine.axes.size() <= 2 && factors <= 9;
}

// Returns a random case. Its workspace has 8, 16, 32 or 48 KiB.
FirmwareCase random_firmware_case(std::uint64_t seed, bool every_objective) {
  const auto sample = random_case(seed, {.max_steps = 60, .max_loops = 4, .graded = seed % 2 == 0});
  constexpr std::array<cim::ObjectiveKind, 3> kinds = {cim::ObjectiveKind::latency,
                                                       cim::ObjectiveKind::energy, cim::ObjectiveKind::edp};
  FirmwareCase result{.name = fmt::format("random-{}", seed),
                      .machine = sample.architecture.machine,
                      .objective = {{.kind = kinds[every_objective ? seed % kinds.size() : 0]},
                                    seed % 5 < 2 ? cim::LatencyModel::miredo : cim::LatencyModel::stall},
                      .workspace = workspaces[seed % workspaces.size()],
                      .steps = most_steps,
                      .compared = true,
                      .layers = {}};
  result.layers.push_back({.name = "layer", .shape = sample.layer});
  return result;
}

// Returns a random machine with 6 to max_memories memories and up to max_axes axes, or with the maximum of
// both if `full`. Most memories store several operands.
Architecture wide_machine(Random& random, bool full) {
  Architecture machine;
  const std::size_t axes = full ? max_axes : random.below(max_axes + 1);
  const std::size_t memories = full ? max_memories : 6 + random.below(max_memories - 5);
  for (std::size_t a = 0; a < axes; ++a) {
    Axis axis{.size = Int{2} << random.below(6), .dims = {}};
    for (const Dim dim : all_dims)
      if (dim != Dim::G && random.below(2) == 0) axis.dims.insert(dim);
    machine.axes.push_back(axis);
  }
  std::size_t above = 0;
  for (std::size_t m = 0; m < memories; ++m) {
    Memory memory;
    above = std::min(axes, above + (m > 1 ? random.below(3) : 0));
    for (const Operand operand : all_operands)
      if (m < 2 || random.below(4) != 0) memory.operands.insert(operand);
    memory.axes_above = static_cast<std::uint8_t>(above);
    memory.capacity = m == 0 ? unlimited_capacity : Int{128} << (4 + random.below(6) + (memories - m));
    memory.bandwidth = Int{8} << random.below(8);
    memory.double_buffer = random.below(2) == 0;
    memory.read_energy = memory.write_energy = static_cast<Cost>(1 + random.below(9)) / Cost{8};
    machine.memories.push_back(memory);
  }
  machine.mvm_cycles = 1 + static_cast<Int>(random.below(8));
  machine.mac_energy = Cost{1} / 4;
  return machine;
}

FirmwareCase wide_case(std::uint64_t seed, bool every_objective) {
  constexpr std::array<Int, 8> channels = {720, 512, 2520, 4096, 1024, 360, 8192, 5040};
  constexpr std::array<Int, 6> sizes = {60, 56, 224, 512, 64, 720};
  constexpr std::array<Int, 5> kernels = {1, 3, 5, 16, 12};
  constexpr std::array<std::size_t, 5> rooms = {16, 1 << 14U, 1 << 16U, 1 << 18U, 1 << 20U};
  Random random(seed + 1);
  FirmwareCase result = random_firmware_case(seed, every_objective);
  result.name = fmt::format("wide-{}", seed);
  result.machine = wide_machine(random, seed % 2 == 0);
  result.workspace = rooms[random.below(rooms.size())];
  result.steps = 300;
  result.compared = false;
  LayerShape& shape = result.layers[0].shape;
  shape.bounds = unit_extents;
  const auto pick = [&](const auto& from) { return from[random.below(from.size())]; };
  for (const Dim dim : {Dim::K, Dim::C}) shape.bounds[index_of(dim)] = pick(channels);
  for (const Dim dim : {Dim::P, Dim::Q}) shape.bounds[index_of(dim)] = pick(sizes);
  for (const Dim dim : {Dim::R, Dim::S}) shape.bounds[index_of(dim)] = pick(kernels);
  for (const Dim dim : {Dim::S, Dim::R, Dim::Q})
    if (!cim::figures_fit(shape, result.machine.mvm_cycles)) shape.bounds[index_of(dim)] = 1;
  return result;
}

void add_networks(const std::vector<std::string>& parts, std::vector<FirmwareCase>& cases) {
  const auto architecture = bench::or_exit(io::read_architecture(parts[0]));
  for (const auto& name : bench::split(parts[2])) {
    const auto network = bench::or_exit(io::read_layers(name));
    cases.push_back({.name = network.name,
                     .machine = architecture.machine,
                     .objective = {{.kind = parts[3] == "energy" ? cim::ObjectiveKind::energy
                                                                 : cim::ObjectiveKind::latency}},
                     .workspace = bench::number_of<std::size_t>(parts[1]),
                     .steps = 0,
                     .compared = true,
                     .layers = network.layers});
  }
}

}  // namespace

std::vector<FirmwareCase> firmware_cases(int argc, char** argv) {
  std::vector<FirmwareCase> cases;
  for (int i = 1; i < argc; ++i) {
    const auto parts = parts_of(argv[i]);
    if (parts.size() != 4) {
      fmt::print(stderr, "'{}' is none of the forms that tests/firmware/cases.h lists\n", argv[i]);
      std::exit(2);
    }
    if (parts[0] != "random" && parts[0] != "wide") {
      add_networks(parts, cases);
      continue;
    }
    const auto first = bench::number_of<std::uint64_t>(parts[1]);
    const auto count = bench::number_of<std::uint64_t>(parts[2]);
    const std::size_t enough = cases.size() + count;
    for (std::uint64_t seed = first; cases.size() < enough; ++seed) {
      const bool wide = parts[0] == "wide";
      auto sample = (wide ? wide_case : random_firmware_case)(seed, parts[3] == "all");
      if (wide || is_tiny(sample)) cases.push_back(std::move(sample));
    }
  }
  return cases;
}

}  // namespace nestor::tests
