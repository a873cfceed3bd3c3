// SPDX-License-Identifier: Apache-2.0
#include "firmware/cases.h"

#include <fmt/format.h>

#include <array>

#include "../bench/inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "model/loopnest/factor_set.h"
#include "support/random_cases.h"

namespace nestor::testing {
namespace {

constexpr std::uint64_t most_steps = 3000;  // of a random case
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

// Small enough to be proved on a device in a second.
bool is_tiny(const FirmwareCase& c) {
  int factors = 0;
  for (const FactorSet& set : prime_factors(c.layers[0].shape.bounds)) factors += set.size();
  return c.machine.axes.size() <= 2 && factors <= 9;
}

// In little memory as well as in enough.
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
                      .layers = {}};
  result.layers.push_back({.name = "layer", .shape = sample.layer});
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
    if (parts[0] != "random") {
      add_networks(parts, cases);
      continue;
    }
    const auto first = bench::number_of<std::uint64_t>(parts[1]);
    const auto count = bench::number_of<std::uint64_t>(parts[2]);
    const std::size_t enough = cases.size() + count;
    for (std::uint64_t seed = first; cases.size() < enough; ++seed) {
      auto sample = random_firmware_case(seed, parts[3] == "all");
      if (is_tiny(sample)) cases.push_back(std::move(sample));
    }
  }
  return cases;
}

}  // namespace nestor::testing
