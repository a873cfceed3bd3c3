#include "io/part_costs.h"

#include <fmt/format.h>

#include <cmath>

#include "io/hierarchy_fields.h"

namespace nestor::io {
namespace {

constexpr double fitted_bits = 256.0 * 1024 * 8;
constexpr double read_pj = 0.198, write_pj = 0.143, home_pj = 8, mm2 = 0.802;

bool is_auto(const MapReader& map, std::string_view key) {
  const auto found = map.find(key);
  return found && found->is_scalar() && found->text() == "auto";
}

double bit_energy(const Memory& memory, Int bandwidth, double at_256_kib) {
  if (memory.capacity == unlimited_capacity) return home_pj;
  const double size = std::pow(static_cast<double>(memory.capacity) / fitted_bits, 0.55);
  return at_256_kib * size * (0.7 + 0.3 * 128 / static_cast<double>(bandwidth));
}

double sram_area(const Memory& memory) {
  if (memory.capacity == unlimited_capacity) return 0;
  return mm2 * static_cast<double>(memory.capacity) / fitted_bits;
}

}  // namespace

Technology read_technology(const MapReader& top, Reading& reading) {
  Technology technology;
  const auto node = top.find("technology");
  if (!node) return technology;
  constexpr double most = 1e6;
  const MapReader map(*node, "technology", technology_keys, reading);
  const auto factor = [&](std::string_view key) {
    const double value = map.number(key, 0, 1);
    if ((value <= 0 || value > most) && !reading.failed())
      reading.fail(*map.find(key), fmt::format("{} is {}, expected above 0 and at most 1e6", key, value));
    return value;
  };
  technology.energy = factor("energy");
  technology.area = factor("area");
  return technology;
}

PartCosts read_part_costs(const MapReader& map, const Technology& technology, Memory& memory,
                          Reading& reading) {
  PartCosts costs;
  costs.estimated = map.flag("estimated", false);
  const auto energy = [&](std::string_view key, Int own_bandwidth, double at_256_kib) {
    if (!is_auto(map, key)) return read_energy(map, key, reading);
    costs.estimated = true;
    return technology.energy *
           bit_energy(memory, own_bandwidth > 0 ? own_bandwidth : memory.bandwidth, at_256_kib);
  };
  memory.read_energy = energy("read_energy", memory.read_bandwidth, read_pj);
  memory.write_energy = energy("write_energy", memory.write_bandwidth, write_pj);
  if (is_auto(map, "area")) {
    costs.estimated = true;
    costs.area = technology.area * sram_area(memory);
  } else if (map.find("area")) {
    costs.area = read_energy(map, "area", reading);
  }
  return costs;
}

std::optional<double> read_compute_area(const MapReader& map, Reading& reading) {
  if (!map.find("area")) return std::nullopt;
  return read_energy(map, "area", reading);
}

void add_part_costs(const Memory& memory, const HierarchyNames& names, std::size_t m, Json& json) {
  if (memory.read_energy != 0) json["read_energy"] = memory.read_energy;
  if (memory.write_energy != 0) json["write_energy"] = memory.write_energy;
  if (m >= names.memory_costs.size()) return;
  const PartCosts& costs = names.memory_costs[m];
  if (costs.area) json["area"] = *costs.area;
  if (costs.estimated) json["estimated"] = true;
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
