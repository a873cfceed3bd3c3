#include "io/part_costs.h"

#include <fmt/format.h>

#include <cmath>

namespace nestor::io {
namespace {

constexpr double fitted_bits = 256.0 * 1024 * 8;
constexpr double read_pj = 0.198, write_pj = 0.143, home_pj = 8, mm2 = 0.802;

double bit_energy(const Memory& memory, Int bandwidth, double at_256_kib) {
  if (memory.capacity == unlimited_capacity) return home_pj;
  const double size = std::pow(static_cast<double>(memory.capacity) / fitted_bits, 0.55);
  return at_256_kib * size * (0.7 + 0.3 * 128 / static_cast<double>(bandwidth));
}

double sram_area(const Memory& memory) {
  if (memory.capacity == unlimited_capacity) return 0;
  return mm2 * static_cast<double>(memory.capacity) / fitted_bits;
}

// A figure, or `auto`: the result of `estimate`.
void describe_figure(Fields& fields, std::string_view key, std::optional<double>& figure, bool& estimated,
                     FunctionRef<double()> estimate, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const bool is_auto = node.is_scalar() && node.text() == "auto";
    figure = is_auto ? estimate() : read_number(node, label, energy_range, reading);
    estimated = estimated || is_auto;
  };
  const auto write = [&] { return figure ? Json(*figure) : Json(); };
  const auto schema = [] {
    return Json{{"oneOf", Json::array({number_schema(energy_range), Json{{"const", "auto"}}})}};
  };
  fields.field({key, optional, read, [] {}, write, schema, meaning});
}

void describe_bit_energy(Fields& fields, std::string_view key, double& energy, bool& estimated,
                         FunctionRef<double()> estimate) {
  auto figure = energy != 0 ? std::optional(energy) : std::nullopt;
  describe_figure(
      fields, key, figure, estimated, estimate,
      "pJ per bit; `auto`: derived from capacity and bandwidth with a fit of 28 nm SRAM; default: 0.");
  energy = figure.value_or(0);
}

}  // namespace

void describe_technology(Fields& fields, Technology& technology) {
  constexpr NumberRange range = {1e-9, 1e6};
  fields.number("energy", technology.energy, range, 1, "Factor applied to energies given as `auto`.");
  fields.number("area", technology.area, range, 1, "Factor applied to areas given as `auto`.");
}

void describe_part_costs(Fields& fields, const Technology& technology, Memory& memory, PartCosts& costs) {
  const auto bandwidth = [&](Int own) { return own > 0 ? own : memory.bandwidth; };
  describe_bit_energy(fields, "read_energy", memory.read_energy, costs.estimated, [&] {
    return technology.energy * bit_energy(memory, bandwidth(memory.read_bandwidth), read_pj);
  });
  describe_bit_energy(fields, "write_energy", memory.write_energy, costs.estimated, [&] {
    return technology.energy * bit_energy(memory, bandwidth(memory.write_bandwidth), write_pj);
  });
  describe_figure(
      fields, "area", costs.area, costs.estimated, [&] { return technology.area * sram_area(memory); },
      "mm^2 per instance, or `auto`.");
  bool stated = costs.estimated;
  fields.flag("estimated", stated, false,
              "True if a figure of this memory came from `auto`; results write it.");
  costs.estimated = costs.estimated || stated;
}

void describe_compute_area(Fields& fields, std::optional<double>& area) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    area = read_number(node, label, energy_range, reading);
  };
  fields.field({"area", optional, read, [] {}, [&] { return area ? Json(*area) : Json(); },
                [] { return number_schema(energy_range); }, "mm^2 per instance of the compute unit."});
}

std::optional<double> total_area(const Hierarchy& machine, const HierarchyNames& names) {
  if (names.memory_costs.size() != machine.memories.size() || !names.compute_area) return std::nullopt;
  const auto instances = [&](std::size_t axes) {
    double count = 1;
    for (std::size_t a = 0; a < axes; ++a) count *= static_cast<double>(machine.axes[a].size);
    return count;
  };
  double total = instances(machine.axes.size()) * *names.compute_area;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    if (!names.memory_costs[m].area) return std::nullopt;
    total += instances(machine.memories[m].axes_above) * *names.memory_costs[m].area;
  }
  return total;
}

std::string estimates_text(const HierarchyNames& names) {
  std::string text;
  for (std::size_t m = 0; m < names.memory_costs.size(); ++m)
    if (names.memory_costs[m].estimated) text += (text.empty() ? "" : ", ") + names.memory_names[m];
  return text.empty() ? text : text + ": estimated, 28 nm fit";
}

}  // namespace nestor::io
