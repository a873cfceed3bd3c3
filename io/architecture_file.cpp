#include "io/architecture_file.h"

#include <fmt/format.h>

#include "io/find_data.h"
#include "io/foreign_keys.h"
#include "io/hierarchy_fields.h"

namespace nestor::io {
namespace {

namespace keys = architecture_keys;

// Large enough for any machine, small enough that sums over a hierarchy stay exact; what a layer makes of it
// is checked at the model's door (model/cim/search/admission.h).
constexpr IntRange bits_range = {1, Int{1} << 52};
constexpr IntRange count_range = {1, Int{1} << 31};

constexpr std::array<std::string_view, 1> kinds = {"cim"};

class ArchitectureReader {
 public:
  explicit ArchitectureReader(Reading& reading) : reading_(reading) {}

  NamedArchitecture read(const Node& node) {
    if (const auto kind = node.find("kind")) read_word(*kind, "kind", kinds, reading_);
    refuse_foreign_keys(node, "cim", reading_);
    const MapReader top(node, "architecture", keys::top, reading_);
    result_.name = top.name("name");
    result_.source = top.text("source", "");
    result_.machine.leakage = read_energy(top, "leakage", reading_);
    result_.machine.clock = static_cast<double>(top.quantity("clock", frequency_units, {1, Int{1} << 50}, 0));
    for (const auto& entry : top.list("hierarchy", 1, max_memories + max_axes)) read_entry(entry);
    if (const auto compute = top.require("compute")) read_compute(*compute);
    if (const auto hierarchy = top.find("hierarchy"))
      check_operands(result_.machine, result_.memory_names, capacity_nodes_, *hierarchy, reading_);
    return std::move(result_);
  }

 private:
  void read_entry(const Node& node) {
    read_hierarchy_entry(
        node, keys::entry, reading_, [this](const Node& memory) { read_memory(memory); },
        [this](const Node& axis) { read_axis(axis); });
  }

  void read_memory(const Node& node) {
    refuse_foreign_keys(node, "cim", reading_);
    auto& machine = result_.machine;
    const MapReader map(node, "memory", keys::memory, reading_);
    if (machine.memories.full())
      reading_.fail(node, fmt::format("more than {} memories", machine.memories.capacity()));
    Memory memory;
    const auto name = read_unique_name(map, "memory", result_.memory_names, reading_);
    if (const auto operands = map.require("operands")) memory.operands = read_operands(*operands, reading_);
    memory.capacity = map.quantity("capacity", size_units, bits_range, unlimited_capacity);
    memory.bandwidth = map.quantity("bandwidth", size_units, bits_range);
    memory.double_buffer = map.flag("double_buffer", false);
    memory.read_energy = read_energy(map, "read_energy", reading_);
    memory.write_energy = read_energy(map, "write_energy", reading_);
    memory.axes_above = static_cast<std::uint8_t>(machine.axes.size());
    if (reading_.failed()) return;
    machine.memories.push_back(memory);
    result_.memory_names.push_back(name);
    capacity_nodes_.push_back(map.find("capacity").value_or(node));
  }

  void read_axis(const Node& node) {
    auto& machine = result_.machine;
    const MapReader map(node, "spatial axis", keys::axis, reading_);
    if (machine.axes.full())
      reading_.fail(node, fmt::format("more than {} spatial axes", machine.axes.capacity()));
    Axis axis;
    const auto name = read_unique_name(map, "spatial axis", result_.axis_names, reading_);
    axis.size = map.integer("size", count_range);
    if (const auto dims = map.require("dims")) axis.dims = read_dims(*dims, reading_);
    if (reading_.failed()) return;
    machine.axes.push_back(axis);
    result_.axis_names.push_back(name);
  }

  void read_compute(const Node& node) {
    refuse_foreign_keys(node, "cim", reading_);
    const MapReader map(node, "compute", keys::compute, reading_);
    result_.machine.mvm_cycles = map.integer("mvm_cycles", count_range);
    result_.machine.mac_energy = read_energy(map, "mac_energy", reading_);
  }

  Reading& reading_;
  NamedArchitecture result_;
  std::vector<Node> capacity_nodes_;
};

Json memory_to_json(const Memory& memory, const std::string& name) {
  Json json = {{"name", name}, {"operands", operands_to_json(memory.operands)}};
  if (memory.capacity != unlimited_capacity) json["capacity"] = memory.capacity;
  json["bandwidth"] = memory.bandwidth;
  if (memory.double_buffer) json["double_buffer"] = true;
  if (memory.read_energy != 0) json["read_energy"] = memory.read_energy;
  if (memory.write_energy != 0) json["write_energy"] = memory.write_energy;
  return json;
}

}  // namespace

NamedArchitecture read_architecture_node(const Node& node, Reading& reading) {
  return ArchitectureReader(reading).read(node);
}

Result<NamedArchitecture> parse_architecture(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  Reading reading;
  auto architecture = read_architecture_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return architecture;
}

Result<NamedArchitecture> read_architecture(const std::string& path_or_name) {
  const auto path = find_data(DataKind::architecture, path_or_name);
  if (!path) return path.error();
  const auto text = read_file(*path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_architecture(*text, path->string());
}

Json architecture_to_json(const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  Json json = {{"name", architecture.name}};
  if (!architecture.source.empty()) json["source"] = architecture.source;
  json["kind"] = "cim";
  auto& hierarchy = json["hierarchy"] = Json::array();
  std::size_t axis = 0;
  const auto add_axes_before = [&](std::size_t end) {
    for (; axis < end; ++axis)
      hierarchy.push_back({{"spatial",
                            {{"name", architecture.axis_names[axis]},
                             {"size", machine.axes[axis].size},
                             {"dims", dims_to_json(machine.axes[axis].dims)}}}});
  };
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    add_axes_before(machine.memories[m].axes_above);
    hierarchy.push_back({{"memory", memory_to_json(machine.memories[m], architecture.memory_names[m])}});
  }
  add_axes_before(machine.axes.size());
  json["compute"] = {{"mvm_cycles", machine.mvm_cycles}};
  if (machine.mac_energy != 0) json["compute"]["mac_energy"] = machine.mac_energy;
  if (machine.leakage != 0) json["leakage"] = machine.leakage;
  if (machine.clock != 0) json["clock"] = static_cast<Int>(machine.clock);
  return json;
}

}  // namespace nestor::io
