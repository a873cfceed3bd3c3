#include "report/simd/energies.h"

#include <array>
#include <string_view>

#include "io/checked_reader.h"
#include "io/document_edit.h"

namespace nestor::report {
namespace {

constexpr std::string_view as_they_are = "energy: {compute: 1, copy: 1.87, copy_step: 0}\n";
constexpr std::array<std::string_view, 1> machine_keys = {"energy"};
constexpr std::array<std::string_view, 3> energy_keys = {"compute", "copy", "copy_step"};

}  // namespace

io::Result<simd::EnergyModel> read_energies(std::span<const std::string> settings) {
  auto document = io::Document::parse(as_they_are, "the machine");
  if (!document) return document.error();
  if (auto error = io::set_values(*document, settings)) return *error;
  io::Reading reading;
  const io::MapReader machine(document->root(), "the machine of schedule", machine_keys, reading);
  simd::EnergyModel model;
  if (const auto node = machine.require("energy")) {
    const io::MapReader energies(*node, "energy", energy_keys, reading);
    model.compute = energies.number("compute", 0, model.compute);
    model.copy = energies.number("copy", 0, model.copy);
    model.copy_step = energies.number("copy_step", 0, model.copy_step);
  }
  if (reading.failed()) return io::blame_settings(reading.error(), settings);
  return model;
}

}  // namespace nestor::report
