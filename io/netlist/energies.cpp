#include "io/netlist/energies.h"

#include "io/document_edit.h"

namespace nestor::io {
namespace {

constexpr NumberRange simd_energy_range = {0, 1e12};  // keeps sums finite

void describe_machine(Fields& fields, simd::EnergyModel& model) {
  const simd::EnergyModel usual;
  const auto energy = [&](Fields& energies, std::string_view key, double& value, double otherwise,
                          std::string_view meaning) {
    energies.number(key, value, simd_energy_range, otherwise, meaning);
  };
  fields.part(
      "energy", optional,
      [&](Fields& energies) {
        energy(energies, "compute", model.compute, usual.compute, "Energy of an operation.");
        energy(energies, "copy", model.copy, usual.copy, "Energy of a copy between arrays.");
        energy(energies, "copy_step", model.copy_step, usual.copy_step,
               "Energy of a copy for each array that it passes.");
      },
      "");
}

}  // namespace

Result<simd::EnergyModel> read_energies(std::span<const std::string> settings) {
  auto document = Document::parse("{}", "the machine");
  if (!document) return document.error();
  if (auto error = set_values(*document, settings)) return *error;
  Reading reading;
  simd::EnergyModel model;
  read_fields(document->root(), "the machine of schedule", reading,
              [&](Fields& fields) { describe_machine(fields, model); });
  if (reading.failed()) return blame_settings(reading.error(), settings);
  return model;
}

Json simd_machine_schema() {
  simd::EnergyModel model;
  return schema_of([&](Fields& fields) { describe_machine(fields, model); });
}

}  // namespace nestor::io
