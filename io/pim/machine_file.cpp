#include "io/pim/machine_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/document_edit.h"
#include "io/hierarchy_fields.h"
#include "io/part_costs.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::PimMachine;

constexpr IntRange cycles_range = {0, Int{1} << 31};
constexpr IntRange row_range = {1, Int{1} << 30};
constexpr std::array<std::string_view, 1> kinds = {"pim"};
constexpr std::array<std::string_view, 2> port_words = {"per_operand", "shared"};
constexpr std::array<std::string_view, 4> unit_words = {"scalar", "simd", "tensor_core", "reduction_tree"};

class MachineReader {
 public:
  explicit MachineReader(Reading& reading) : reading_(reading) {}

  NamedPimMachine read(const Node& node) {
    const MapReader top(node, "architecture", machine_keys::top, reading_);
    if (const auto kind = top.require("kind")) read_word(*kind, "kind", kinds, reading_);
    result_.name = top.name("name");
    result_.source = top.text("source", "");
    machine().leakage = read_energy(top, "leakage", reading_);
    technology_ = read_technology(top, reading_);
    machine().clock = static_cast<double>(top.quantity("clock", frequency_units, {1, Int{1} << 50}, 0));
    if (top.find("blocks")) machine().blocks = top.word("blocks", nestor::pim::block_rules);
    if (top.find("row_model")) machine().row_model = top.word("row_model", nestor::pim::row_models);
    if (top.find("ports")) shared_ = top.word("ports", port_words) == 1;
    add_outer_axis(top, "vaults");
    add_outer_axis(top, "units");
    read_hierarchy(top, machine(), result_.axis_names, reading_,
                   [this](const Node& memory) { read_memory(memory); });
    if (const auto compute = top.require("compute")) read_compute(*compute);
    if (const auto once = top.find("dim_once")) read_dim_once(*once);
    if (const auto hierarchy = top.find("hierarchy")) {
      check_operands(machine(), result_.memory_names, capacity_nodes_, *hierarchy, reading_);
      check_rows();
      for (std::size_t a = 0; a < machine().axes.size(); ++a)
        if (machine().axes[a].dims.contains(Dim::G))
          reading_.fail(*hierarchy,
                        fmt::format("axis '{}' lists G, expected other dimensions", result_.axis_names[a]));
    }
    return std::move(result_);
  }

 private:
  PimMachine& machine() { return result_.machine; }

  // Adds an axis on which every dimension can be unrolled.
  void push_axis(const char* name, Int size, const Node& where) {
    const Axis axis{.size = size, .dims = group_dim_set};
    add_axis(machine(), result_.axis_names, name, axis, where, reading_);
  }

  // Adds the axis that `vaults: n` or `units: n` declares outside the whole hierarchy.
  void add_outer_axis(const MapReader& top, const char* key) {
    const Int size = top.integer(key, count_range, 1);
    if (size == 1 || reading_.failed()) return;
    push_axis(key, size, *top.find(key));
    ++outer_axes_;
  }

  void read_memory(const Node& node) {
    const MapReader map(node, "memory", machine_keys::memory, reading_);
    if (machine().memories.full())
      reading_.fail(node, fmt::format("more than {} memories", machine().memories.capacity()));
    if (map.find("double_buffer") && map.flag("double_buffer", false))
      reading_.fail(*map.find("double_buffer"),
                    "double_buffer cannot be used with kind 'pim', where transfers overlap perfectly");
    Memory memory;
    const auto name = read_unique_name(map, "memory", result_.memory_names, reading_);
    if (const auto operands = map.require("operands")) memory.operands = read_operands(*operands, reading_);
    memory.capacity = map.quantity("capacity", size_units, bits_range, unlimited_capacity);
    read_timings(map, memory);
    memory.read_bandwidth = map.quantity("read_bandwidth", size_units, bits_range, 0);
    memory.write_bandwidth = map.quantity("write_bandwidth", size_units, bits_range, 0);
    memory.access_latency = map.integer("access_latency", cycles_range, 0);
    memory.shared_port = map.find("ports") ? map.word("ports", port_words) == 1 : shared_;
    const PartCosts costs = read_part_costs(map, technology_, memory, reading_);
    memory.axes_above = static_cast<std::uint8_t>(machine().axes.size());
    if (reading_.failed()) return;
    machine().memories.push_back(memory);
    result_.memory_names.push_back(name);
    result_.memory_costs.push_back(costs);
    memory_nodes_.push_back(node);
    capacity_nodes_.push_back(map.find("capacity").value_or(node));
  }

  // Reads the row size and the banks of a memory, and the DRAM timings from which omitted values are derived.
  void read_timings(const MapReader& map, Memory& memory) {
    memory.row = map.quantity("row", size_units, row_range, 0);
    for (const char* key : {"banks", "activation_cycles", "activation_energy", "RL", "WL", "tRCDRD", "tRP",
                            "BL", "column_width"})
      if (const auto found = map.find(key); found && memory.row == 0)
        reading_.fail(*found, fmt::format("{} belongs to a memory with rows, but 'row' is missing", key));
    memory.banks = map.integer("banks", {1, nestor::pim::max_banks}, 1);
    for (const char* key : {"RL", "WL", "BL"}) map.integer(key, cycles_range, 0);
    const Int opening = map.integer("tRCDRD", cycles_range, 0) + map.integer("tRP", cycles_range, 0);
    memory.activation_cycles =
        map.integer("activation_cycles", cycles_range, std::min(opening, cycles_range.high));
    memory.activation_energy = read_energy(map, "activation_energy", reading_);
    const Int column = map.quantity("column_width", size_units, bits_range, 0);
    const bool both_ways = map.find("read_bandwidth") && map.find("write_bandwidth");
    memory.bandwidth = column > 0 || both_ways
                           ? map.quantity("bandwidth", size_units, bits_range, std::max<Int>(column, 1))
                           : map.quantity("bandwidth", size_units, bits_range);
  }

  // `unit` and `macs` describe the compute unit. If it has several MACs, they are an innermost axis `macs`.
  void read_compute(const Node& node) {
    const MapReader map(node, "compute", machine_keys::compute, reading_);
    machine().mvm_cycles = map.integer("mvm_cycles", count_range, 1);
    machine().mac_energy = read_energy(map, "mac_energy", reading_);
    result_.compute_area = read_compute_area(map, reading_);
    machine().reduction_latency = map.integer("reduction_latency", cycles_range, 0);
    const bool scalar = !map.find("unit") || map.word("unit", unit_words) == 0;
    const Int macs = map.integer("macs", count_range, 1);
    if (macs > 1 && scalar)
      reading_.fail(*map.find("macs"),
                    fmt::format("macs is {}, but a scalar unit has one: expected unit simd, "
                                "tensor_core or reduction_tree",
                                macs));
    if (macs == 1 || reading_.failed()) return;
    if (std::find(result_.axis_names.begin(), result_.axis_names.end(), "macs") != result_.axis_names.end())
      reading_.fail(node, "spatial axis 'macs' is already in the hierarchy");
    else
      push_axis("macs", macs, node);
  }

  // Names that match no axis are ignored, so that one list serves machines of different shapes.
  void read_dim_once(const Node& node) {
    for (const auto& item : read_list(node, "dim_once", 0, 64, reading_)) {
      const auto name = read_text(item, "axis", reading_);
      for (std::size_t a = 0; a < result_.axis_names.size(); ++a)
        if (result_.axis_names[a] == name)
          machine().dim_once = static_cast<std::uint8_t>(machine().dim_once | 1U << a);
    }
  }

  // Checks that at most one memory has rows, that it is the home of all its operands, and that only vaults
  // and units precede it.
  void check_rows() {
    if (reading_.failed()) return;
    const auto& memories = machine().memories;
    std::size_t rows = memories.size();
    for (std::size_t m = 0; m < memories.size(); ++m) {
      if (memories[m].row == 0) continue;
      const auto& name = result_.memory_names[m];
      if (rows != memories.size())
        reading_.fail(
            memory_nodes_[m],
            fmt::format("'{}' has rows, but '{}' already has rows: expected at most one memory with rows",
                        name, result_.memory_names[rows]));
      if (memories[m].axes_above > outer_axes_)
        reading_.fail(
            memory_nodes_[m],
            fmt::format(
                "spatial axis '{}' is before '{}', which has rows: only vaults and units can be before it",
                result_.axis_names[outer_axes_], name));
      for (const auto operand : all_operands)
        if (memories[m].operands.contains(operand) && machine().home(operand) != m)
          reading_.fail(memory_nodes_[m],
                        fmt::format("'{}' has rows, but operand {} has its home in '{}'", name,
                                    letter(operand), result_.memory_names[machine().home(operand)]));
      rows = m;
    }
  }

  Reading& reading_;
  NamedPimMachine result_;
  Technology technology_;
  std::vector<Node> memory_nodes_;
  std::vector<Node> capacity_nodes_;
  std::size_t outer_axes_ = 0;
  bool shared_ = false;
};

}  // namespace

NamedPimMachine read_machine_node(const Node& node, Reading& reading) {
  return MachineReader(reading).read(node);
}

namespace {

Result<NamedPimMachine> machine_from(const Node& root) {
  Reading reading;
  auto machine = read_machine_node(root, reading);
  if (reading.failed()) return reading.error();
  return machine;
}

}  // namespace

Result<NamedPimMachine> parse_machine(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  return machine_from(document->root());
}

Result<NamedPimMachine> read_machine(const std::string& path_or_name, std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, machine_from);
}

}  // namespace nestor::io::pim
