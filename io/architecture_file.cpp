#include "io/architecture_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/find_data.h"
#include "io/vocabulary.h"

namespace nestor::io {
namespace {

namespace keys = architecture_keys;

// Large enough for any machine, small enough that sums over a hierarchy stay exact; what a layer makes of it
// is checked at the model's door (model/cim/admission.h).
constexpr IntRange bits_range = {1, Int{1} << 52};
constexpr IntRange count_range = {1, Int{1} << 31};

constexpr std::array<std::string_view, 1> kinds = {"cim"};
constexpr std::array<std::string_view, 4> other_kinds = {"pim", "cnm", "simd", "chip"};

// Keys that mean something in an architecture of kind pim only: a clearer answer than "unknown key".
constexpr std::array<std::string_view, 14> pim_keys = {"row",
                                                       "banks",
                                                       "activation_cycles",
                                                       "activation_energy",
                                                       "ports",
                                                       "read_bandwidth",
                                                       "write_bandwidth",
                                                       "access_latency",
                                                       "reduction_latency",
                                                       "dim_once",
                                                       "blocks",
                                                       "vaults",
                                                       "units",
                                                       "layouts"};

class ArchitectureReader {
 public:
  explicit ArchitectureReader(Reading& reading) : reading_(reading) {}

  NamedArchitecture read(const Node& node) {
    refuse_other_kinds(node);
    refuse_pim_keys(node);
    const MapReader top(node, "architecture", keys::top, reading_);
    result_.name = top.name("name");
    result_.source = top.text("source", "");
    result_.machine.leakage = energy(top, "leakage");
    result_.machine.clock = static_cast<double>(top.quantity("clock", frequency_units, {1, Int{1} << 50}, 0));
    for (const auto& entry : top.list("hierarchy", 1, max_memories + max_axes)) read_entry(entry);
    if (const auto compute = top.require("compute")) read_compute(*compute);
    if (const auto hierarchy = top.find("hierarchy")) check_operands(*hierarchy);
    return std::move(result_);
  }

 private:
  void refuse_other_kinds(const Node& node) {
    const auto kind = node.find("kind");
    if (!kind) return;
    if (std::find(other_kinds.begin(), other_kinds.end(), kind->text()) != other_kinds.end())
      reading_.fail(*kind, fmt::format("kind {} is not supported, expected {}", quote(kind->text()),
                                       join_words(kinds)));
    else
      read_word(*kind, "kind", kinds, reading_);
  }

  // The first of `node`'s keys that only another kind has.
  void refuse_pim_keys(const Node& node) {
    for (std::size_t i = 0; i < node.size() && node.is_map(); ++i)
      if (std::find(pim_keys.begin(), pim_keys.end(), node.key(i).text()) != pim_keys.end())
        reading_.fail(node.key(i), fmt::format("key '{}' belongs to kind 'pim', this architecture is of kind "
                                               "'cim'",
                                               node.key(i).text()));
  }

  void read_entry(const Node& node) {
    const MapReader entry(node, "entry of the hierarchy", keys::entry, reading_);
    if (reading_.failed()) return;
    if (node.size() != 1) {
      reading_.fail(node, "entry of the hierarchy must be one memory or one spatial axis");
    } else if (const auto memory = entry.find("memory")) {
      read_memory(*memory);
    } else {
      read_axis(node.value(0));
    }
  }

  // pJ per bit, per multiply-accumulate or per cycle; products of energies and cycles must stay finite.
  double energy(const MapReader& map, std::string_view key) {
    constexpr double most = 1e30;
    const double value = map.number(key, 0, 0);
    if (value > most && !reading_.failed())
      reading_.fail(*map.find(key), fmt::format("{} is {}, expected at most 1e30", key, value));
    return value;
  }

  void read_memory(const Node& node) {
    refuse_pim_keys(node);
    auto& machine = result_.machine;
    const MapReader map(node, "memory", keys::memory, reading_);
    if (machine.memories.full())
      reading_.fail(node, fmt::format("more than {} memories", machine.memories.capacity()));
    Memory memory;
    const auto name = unique_name(map, "memory", result_.memory_names);
    if (const auto operands = map.require("operands")) memory.operands = read_operands(*operands);
    memory.capacity = map.quantity("capacity", size_units, bits_range, unlimited_capacity);
    memory.bandwidth = map.quantity("bandwidth", size_units, bits_range);
    memory.double_buffer = map.flag("double_buffer", false);
    memory.read_energy = energy(map, "read_energy");
    memory.write_energy = energy(map, "write_energy");
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
    const auto name = unique_name(map, "spatial axis", result_.axis_names);
    axis.size = map.integer("size", count_range);
    if (const auto dims = map.require("dims")) axis.dims = read_dims(*dims);
    if (reading_.failed()) return;
    machine.axes.push_back(axis);
    result_.axis_names.push_back(name);
  }

  void read_compute(const Node& node) {
    refuse_pim_keys(node);
    const MapReader map(node, "compute", keys::compute, reading_);
    result_.machine.mvm_cycles = map.integer("mvm_cycles", count_range);
    result_.machine.mac_energy = energy(map, "mac_energy");
  }

  std::string unique_name(const MapReader& map, std::string_view what,
                          const std::vector<std::string>& taken) {
    auto name = map.name("name");
    if (std::find(taken.begin(), taken.end(), name) != taken.end())
      reading_.fail(*map.find("name"), fmt::format("{} '{}' is already in the hierarchy", what, name));
    return name;
  }

  OperandSet read_operands(const Node& node) {
    OperandSet set;
    for (const auto& item : read_list(node, "operands", 1, operand_count, reading_)) {
      const auto operand = all_operands[read_word(item, "operand", operand_words, reading_)];
      if (set.contains(operand))
        reading_.fail(item, fmt::format("operand {} is listed twice", letter(operand)));
      set.insert(operand);
    }
    return set;
  }

  DimSet read_dims(const Node& node) {
    DimSet set;
    if (node.text() == "all") {
      for (const auto dim : all_dims) set.insert(dim);
      return set;
    }
    if (node.is_scalar())
      reading_.fail(node, fmt::format("dims is {}, expected a list of dimensions or all", node.describe()));
    for (const auto& item : read_list(node, "dims", 1, dim_count, reading_)) {
      const auto dim = all_dims[read_word(item, "dimension", dim_words, reading_)];
      if (set.contains(dim)) reading_.fail(item, fmt::format("dimension {} is listed twice", letter(dim)));
      set.insert(dim);
    }
    return set;
  }

  // Every operand needs a home and an innermost memory that differ, and the innermost must hold one element
  // of the narrowest kind: whatever the layer, its smallest tile is at least one bit per operand.
  void check_operands(const Node& hierarchy) {
    if (reading_.failed()) return;
    const auto& memories = result_.machine.memories;
    std::vector<Int> needed(memories.size(), 0);
    for (const auto operand : all_operands) {
      std::vector<std::size_t> holders;
      for (std::size_t m = 0; m < memories.size(); ++m)
        if (memories[m].operands.contains(operand)) holders.push_back(m);
      if (holders.size() < 2) {
        const auto only = holders.empty()
                              ? "no memory holds it"
                              : fmt::format("only '{}' holds it", result_.memory_names[holders[0]]);
        reading_.fail(hierarchy, fmt::format("operand {} needs a home and an innermost memory, but {}",
                                             letter(operand), only));
        return;
      }
      ++needed[holders.back()];
    }
    for (std::size_t m = 0; m < memories.size(); ++m)
      if (memories[m].capacity < needed[m])
        reading_.fail(
            capacity_nodes_[m],
            fmt::format("capacity of '{}' is {} bit{}, below the smallest tile: one element of each "
                        "of its {} innermost operands",
                        result_.memory_names[m], memories[m].capacity, memories[m].capacity == 1 ? "" : "s",
                        needed[m]));
  }

  Reading& reading_;
  NamedArchitecture result_;
  std::vector<Node> capacity_nodes_;
};

Json operand_list(OperandSet operands) {
  Json list = Json::array();
  for (const auto operand : all_operands)
    if (operands.contains(operand)) list.push_back(std::string(1, letter(operand)));
  return list;
}

Json dim_list(DimSet dims) {
  Json list = Json::array();
  for (const auto dim : all_dims)
    if (dims.contains(dim)) list.push_back(std::string(1, letter(dim)));
  return list;
}

Json memory_to_json(const Memory& memory, const std::string& name) {
  Json json = {{"name", name}, {"operands", operand_list(memory.operands)}};
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
                             {"dims", dim_list(machine.axes[axis].dims)}}}});
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
