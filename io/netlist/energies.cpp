#include "io/netlist/energies.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "io/checked_reader.h"
#include "io/document_edit.h"

namespace nestor::io {
namespace {

constexpr std::string_view as_they_are = "energy: {}\n";
constexpr std::array<std::string_view, 1> machine_keys = {"energy"};
constexpr std::array<std::string_view, 3> energy_keys = {"compute", "copy", "copy_step"};

}  // namespace

Result<simd::EnergyModel> read_energies(std::span<const std::string> settings) {
  auto document = Document::parse(as_they_are, "the machine");
  if (!document) return document.error();
  if (auto error = set_values(*document, settings)) return *error;
  Reading reading;
  const MapReader machine(document->root(), "the machine of schedule", machine_keys, reading);
  simd::EnergyModel model;
  if (const auto node = machine.require("energy")) {
    const MapReader energies(*node, "energy", energy_keys, reading);
    const auto read = [&](std::string_view key, double& energy) {
      constexpr double most = 1e12;  // keeps sums finite
      energy = energies.number(key, 0, energy);
      if (energy > most) reading.fail(*energies.find(key), fmt::format("{} is above 1e12", key));
    };
    read("compute", model.compute);
    read("copy", model.copy);
    read("copy_step", model.copy_step);
  }
  if (reading.failed()) return blame_settings(reading.error(), settings);
  return model;
}

}  // namespace nestor::io
