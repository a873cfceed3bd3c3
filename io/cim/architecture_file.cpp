#include "io/cim/architecture_file.h"

#include <fmt/format.h>

#include "io/document_edit.h"
#include "io/foreign_keys.h"
#include "io/hierarchy_fields.h"
#include "io/neighbours/neighbours.h"
#include "io/part_costs.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 1> cim_kinds = {"cim"};

class ArchitectureReader {
 public:
  explicit ArchitectureReader(Reading& reading) : reading_(reading) {}

  NamedArchitecture read(const Node& node) {
    if (const auto kind = node.find("kind")) read_word(*kind, "kind", cim_kinds, reading_);
    refuse_foreign_keys(node, "cim", reading_);
    const MapReader top(node, "architecture", architecture_keys::top, reading_);
    result_.name = top.name("name");
    result_.source = top.text("source", "");
    result_.machine.leakage = read_energy(top, "leakage", reading_);
    technology_ = read_technology(top, reading_);
    result_.machine.clock = static_cast<double>(top.quantity("clock", frequency_units, {1, Int{1} << 50}, 0));
    read_hierarchy(top, result_.machine, result_.axis_names, reading_,
                   [this](const Node& memory) { read_memory(memory); });
    if (const auto compute = top.require("compute")) read_compute(*compute);
    if (const auto hierarchy = top.find("hierarchy"))
      check_operands(result_.machine, result_.memory_names, capacity_nodes_, *hierarchy, reading_);
    return std::move(result_);
  }

 private:
  void read_memory(const Node& node) {
    refuse_foreign_keys(node, "cim", reading_);
    auto& machine = result_.machine;
    const MapReader map(node, "memory", architecture_keys::memory, reading_);
    if (machine.memories.full())
      reading_.fail(node, fmt::format("more than {} memories", machine.memories.capacity()));
    Memory memory;
    const auto name = read_unique_name(map, "memory", result_.memory_names, reading_);
    if (const auto operands = map.require("operands")) memory.operands = read_operands(*operands, reading_);
    memory.capacity = map.quantity("capacity", size_units, bits_range, unlimited_capacity);
    memory.bandwidth = map.quantity("bandwidth", size_units, bits_range);
    memory.double_buffer = map.flag("double_buffer", false);
    const PartCosts costs = read_part_costs(map, technology_, memory, reading_);
    memory.axes_above = static_cast<std::uint8_t>(machine.axes.size());
    if (reading_.failed()) return;
    machine.memories.push_back(memory);
    result_.memory_names.push_back(name);
    result_.memory_costs.push_back(costs);
    capacity_nodes_.push_back(map.find("capacity").value_or(node));
  }

  void read_compute(const Node& node) {
    refuse_foreign_keys(node, "cim", reading_);
    const MapReader map(node, "compute", architecture_keys::compute, reading_);
    result_.machine.mvm_cycles = map.integer("mvm_cycles", count_range);
    result_.machine.mac_energy = read_energy(map, "mac_energy", reading_);
    result_.compute_area = read_compute_area(map, reading_);
  }

  Reading& reading_;
  NamedArchitecture result_;
  Technology technology_;
  std::vector<Node> capacity_nodes_;
};

Json memory_to_json(const NamedArchitecture& architecture, std::size_t m) {
  const Memory& memory = architecture.machine.memories[m];
  Json json = {{"name", architecture.memory_names[m]}, {"operands", operands_to_json(memory.operands)}};
  if (memory.capacity != unlimited_capacity) json["capacity"] = memory.capacity;
  json["bandwidth"] = memory.bandwidth;
  if (memory.double_buffer) json["double_buffer"] = true;
  add_part_costs(memory, architecture, m, json);
  return json;
}

}  // namespace

NamedArchitecture read_architecture_node(const Node& node, Reading& reading) {
  return ArchitectureReader(reading).read(node);
}

namespace {

// Returns the machine of another tool's file. Errors in the translated machine have no line number.
Result<NamedArchitecture> architecture_of(const neighbours::Translated& translated, const std::string& file) {
  auto architecture = parse_architecture(translated.json.dump(), file + ".json");
  if (!architecture) return input_error({file}, architecture.error().message);
  architecture->untranslated = translated.untranslated;
  return architecture;
}

Result<NamedArchitecture> architecture_from(const Node& root) {
  if (const auto translated = neighbours::translate_machine(root)) {
    if (!*translated) return translated->error();
    return architecture_of(**translated, root.where().file);
  }
  Reading reading;
  auto architecture = read_architecture_node(root, reading);
  if (reading.failed()) return reading.error();
  return architecture;
}

}  // namespace

Result<NamedArchitecture> parse_architecture(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file, {.foreign = true});
  if (!document) return document.error();
  return architecture_from(document->root());
}

Result<NamedArchitecture> read_architecture(const std::string& path_or_name,
                                            std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, architecture_from);
}

Json architecture_to_json(const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  Json json = {{"name", architecture.name}};
  if (!architecture.source.empty()) json["source"] = architecture.source;
  json["kind"] = "cim";
  json["hierarchy"] = hierarchy_to_json(machine, architecture.axis_names, 0,
                                        [&](std::size_t m) { return memory_to_json(architecture, m); });
  json["compute"] = {{"mvm_cycles", machine.mvm_cycles}};
  if (machine.mac_energy != 0) json["compute"]["mac_energy"] = machine.mac_energy;
  if (architecture.compute_area) json["compute"]["area"] = *architecture.compute_area;
  if (machine.leakage != 0) json["leakage"] = machine.leakage;
  if (machine.clock != 0) json["clock"] = static_cast<Int>(machine.clock);
  return json;
}

}  // namespace nestor::io
