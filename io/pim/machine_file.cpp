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
constexpr auto port_words = enum_words<bool>({{false, "per_operand"}, {true, "shared"}});
constexpr std::size_t max_dim_once = 64;
constexpr std::array<std::string_view, 4> unit_words = {"scalar", "simd", "tensor_core", "reduction_tree"};

// What a reader of a machine needs besides the machine.
struct MachineState {
  explicit MachineState(NamedPimMachine& machine) : named(machine) {
    for (const std::string outer : {"vaults", "units"})
      if (outer_axes < named.axis_names.size() && named.axis_names[outer_axes] == outer &&
          named.machine.memories[0].axes_above > outer_axes)
        ++outer_axes;
  }

  NamedPimMachine& named;
  std::size_t outer_axes = 0;  ///< axes that `vaults` and `units` declare, before all others
  bool shared_ports = false;
  Technology technology;
  std::vector<Node> memory_nodes;
};

// Adds an axis on which every dimension can be unrolled.
void push_axis(NamedPimMachine& named, std::string_view name, Int size, const Node& where, Reading& reading) {
  add_axis(named.machine, named.axis_names, std::string(name), {.size = size, .dims = group_dim_set}, where,
           reading);
}

// `vaults: n` or `units: n` declares an axis outside the whole hierarchy.
void describe_outer_axis(Fields& fields, std::string_view key, MachineState& state,
                         std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    const Int size = read_integer(node, label, count_range, reading);
    if (size == 1 || reading.failed()) return;
    push_axis(state.named, key, size, node, reading);
    ++state.outer_axes;
  };
  const auto write = [&] {
    for (std::size_t a = 0; a < state.outer_axes; ++a)
      if (state.named.axis_names[a] == key) return Json(state.named.machine.axes[a].size);
    return Json();
  };
  const auto schema = [] {
    auto json = integer_schema(count_range);
    json["default"] = 1;
    return json;
  };
  fields.field({key, optional, read, [] {}, write, schema, meaning});
}

// The key of other kinds is accepted if it has no effect.
void describe_double_buffer(Fields& fields) {
  const auto read = [](const Node& node, const std::string& label, Reading& reading) {
    if (read_flag(node, label, reading))
      reading.fail(node, "double_buffer cannot be used with kind 'pim', where transfers overlap perfectly");
  };
  fields.field({"double_buffer", optional, read, [] {}, [] { return Json(); },
                [] {
                  return Json{{"const", false}};
                },
                "Accepted for machines of kind cim; transfers always overlap."});
}

// The rows of a DRAM, and the timings from which omitted values are derived.
void describe_rows(Fields& fields, Memory& memory) {
  fields.quantity("row", memory.row, size_units, row_range, 0, "Bits of a row; the memory is then a DRAM.");
  const bool has_rows = memory.row > 0;
  const auto cycles = [&](std::string_view key, std::string_view meaning) {
    Int value = 0;
    fields.integer(key, value, cycles_range, 0, meaning);
    return value;
  };
  fields.only_with("row");
  Default<Int> banks(1);
  banks.is_written = has_rows;
  fields.integer("banks", memory.banks, {1, nestor::pim::max_banks}, banks,
                 "Number of rows that may be open at the same time.");
  cycles("RL", "Read latency; accepted, without effect.");
  cycles("WL", "Write latency; accepted, without effect.");
  cycles("BL", "Burst length; accepted, without effect.");
  const Int opening =
      cycles("tRCDRD", "Cycles from opening a row to reading it.") + cycles("tRP", "Cycles to close a row.");
  auto activation = derived(std::min(opening, cycles_range.high));
  activation.is_written = has_rows;
  fields.integer("activation_cycles", memory.activation_cycles, cycles_range, activation,
                 "Cycles to open a row; default: tRCDRD + tRP.");
  fields.number("activation_energy", memory.activation_energy, energy_range, 0, "pJ per row opened.");
  fields.only_with({});
}

void describe_memory(Fields& fields, const MachineState& state, std::string& name, Memory& memory,
                     PartCosts& costs) {
  static constexpr std::array<std::string_view, 1> own = {"bandwidth"};
  static constexpr std::array<std::string_view, 1> column_width = {"column_width"};
  static constexpr std::array<std::string_view, 2> both_ways = {"read_bandwidth", "write_bandwidth"};
  static constexpr std::array<Words, 3> bandwidths = {own, column_width, both_ways};
  describe_memory_head(fields, name, memory);
  describe_double_buffer(fields);
  fields.only_with("row");
  Int column = 0;
  fields.quantity("column_width", column, size_units, bits_range, 0,
                  "Bits per cycle, used if `bandwidth` is omitted.");
  fields.only_with({});
  fields.require_one(bandwidths);
  auto bandwidth = derived(std::max<Int>(column, 1));
  bandwidth.is_written = true;
  fields.quantity("bandwidth", memory.bandwidth, size_units, bits_range, bandwidth,
                  "Bits per cycle between this memory and the next level inward.");
  fields.quantity("read_bandwidth", memory.read_bandwidth, size_units, bits_range, 0,
                  "Bits per cycle read towards the inside; default: `bandwidth`.");
  fields.quantity("write_bandwidth", memory.write_bandwidth, size_units, bits_range, 0,
                  "Bits per cycle written from the inside; default: `bandwidth`.");
  fields.integer("access_latency", memory.access_latency, cycles_range, 0,
                 "Cycles added once if the memory is used.");
  auto ports = derived(state.shared_ports);
  ports.is_written = true;
  fields.word("ports", memory.shared_port, port_words, ports, "Default: that of the machine.");
  describe_rows(fields, memory);
  describe_part_costs(fields, state.technology, memory, costs);
}

// `unit` and `macs` describe the compute unit. If it has several MACs, they are an innermost axis `macs`.
void describe_compute(Fields& fields, NamedPimMachine& named) {
  auto& machine = named.machine;
  fields.integer("mvm_cycles", machine.mvm_cycles, count_range, written(Int{1}), "Cycles of one step.");
  fields.number("mac_energy", machine.mac_energy, energy_range, 0, "pJ per multiply-accumulate.");
  fields.integer("reduction_latency", machine.reduction_latency, cycles_range, 0,
                 "Cycles added once to the computation.");
  std::size_t unit = 0;
  fields.word("unit", unit, unit_words, std::size_t{0}, "Kind of compute unit; a scalar one has one MAC.");
  const auto read_macs = [&](const Node& node, const std::string& label, Reading& reading) {
    const Int macs = read_integer(node, label, count_range, reading);
    if (macs > 1 && unit == 0)
      reading.fail(node,
                   fmt::format("macs is {}, but a scalar unit has one: expected unit simd, tensor_core or "
                               "reduction_tree",
                               macs));
    if (macs == 1 || reading.failed()) return;
    if (std::find(named.axis_names.begin(), named.axis_names.end(), "macs") != named.axis_names.end())
      reading.fail(node, "spatial axis 'macs' is already in the hierarchy");
    else
      push_axis(named, "macs", macs, node, reading);
  };
  const auto macs_schema = [] {
    auto json = integer_schema(count_range);
    json["default"] = 1;
    return json;
  };
  fields.field(
      {"macs", optional, read_macs, [] {}, [] { return Json(); }, macs_schema,
       "Number of multiply-accumulate units, which form an axis inside all others; 1 for a scalar unit."});
  describe_compute_area(fields, named.compute_area);
}

// Names that match no axis are ignored, so that one list serves machines of different shapes.
void describe_dim_once(Fields& fields, NamedPimMachine& named) {
  auto& machine = named.machine;
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    unsigned axes = machine.dim_once;
    for (const auto& item : read_list(node, "dim_once", 0, max_dim_once, reading)) {
      const auto name = read_text(item, "axis", reading);
      for (std::size_t a = 0; a < named.axis_names.size(); ++a)
        if (named.axis_names[a] == name) axes |= 1U << a;
    }
    machine.dim_once = static_cast<std::uint8_t>(axes);
  };
  const auto write = [&] {
    Json once;
    const unsigned axes = machine.dim_once;
    for (std::size_t a = 0; a < named.axis_names.size(); ++a)
      if (((axes >> a) & 1U) != 0) once.push_back(named.axis_names[a]);
    return once;
  };
  const auto schema = [] {
    return Json{{"type", "array"}, {"maxItems", max_dim_once}, {"items", {{"type", "string"}}}};
  };
  fields.field({"dim_once", optional, read, [] {}, write, schema,
                "Names of axes; a dimension may have a factor on at most one of them."});
}

void describe_machine(Fields& fields, MachineState& state) {
  auto& named = state.named;
  auto& machine = named.machine;
  fields.name("name", named.name, "Name of the machine.");
  fields.text("source", named.source, "Origin of the parameters.");
  fields.constant("kind", "pim", required, "Kind of machine.");
  fields.part(
      "technology", optional, [&](Fields& part) { describe_technology(part, state.technology); }, "");
  fields.word("blocks", machine.blocks, nestor::pim::block_rules, written(nestor::pim::BlockRule::even),
              "Extents of loops that do not divide: padded to even blocks, or with a smaller last block.");
  fields.word("row_model", machine.row_model, nestor::pim::row_models, written(nestor::pim::RowModel::exact),
              "Model of row activations: exact, or the formulas of the paper.");
  fields.word("ports", state.shared_ports, port_words, false,
              "Operands take turns at a shared port; else each has its own.");
  describe_outer_axis(fields, "vaults", state, "Size of an axis outside all memories and other axes.");
  describe_outer_axis(fields, "units", state, "Size of an axis outside all memories and axes except vaults.");
  describe_hierarchy(fields, "pim", machine, named, state.outer_axes, state.memory_nodes,
                     [&](Fields& memory, std::string& name, Memory& values, PartCosts& costs) {
                       describe_memory(memory, state, name, values, costs);
                     });
  fields.part(
      "compute", required, [&](Fields& compute) { describe_compute(compute, named); }, "");
  describe_dim_once(fields, named);
  describe_rates(fields, machine.leakage, machine.clock);
}

// Checks that at most one memory has rows, that it is the home of all its operands, and that only vaults and
// units precede it.
void check_rows(const MachineState& state, Reading& reading) {
  if (reading.failed()) return;
  const auto& names = state.named;
  const auto& machine = names.machine;
  const auto& memories = machine.memories;
  std::size_t rows = memories.size();
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (memories[m].row == 0) continue;
    const auto fail = [&](std::string message) { reading.fail(state.memory_nodes[m], std::move(message)); };
    const auto& name = names.memory_names[m];
    if (rows != memories.size())
      fail(fmt::format("'{}' has rows, but '{}' already has rows: expected at most one memory with rows",
                       name, names.memory_names[rows]));
    if (memories[m].axes_above > state.outer_axes)
      fail(fmt::format(
          "spatial axis '{}' is before '{}', which has rows: only vaults and units can be before it",
          names.axis_names[state.outer_axes], name));
    for (const auto operand : all_operands)
      if (memories[m].operands.contains(operand) && machine.home(operand) != m)
        fail(fmt::format("'{}' has rows, but operand {} has its home in '{}'", name, letter(operand),
                         names.memory_names[machine.home(operand)]));
    rows = m;
  }
}

}  // namespace

NamedPimMachine read_machine_node(const Node& node, Reading& reading) {
  NamedPimMachine result;
  MachineState state(result);
  read_fields(node, "architecture", reading, [&](Fields& fields) { describe_machine(fields, state); });
  const auto hierarchy = node.find("hierarchy");
  if (!hierarchy) return result;
  check_operands(result.machine, result.memory_names, state.memory_nodes, *hierarchy, reading);
  check_rows(state, reading);
  for (std::size_t a = 0; a < result.machine.axes.size(); ++a)
    if (result.machine.axes[a].dims.contains(Dim::G))
      reading.fail(*hierarchy,
                   fmt::format("axis '{}' lists G, expected other dimensions", result.axis_names[a]));
  return result;
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

Json machine_to_json(NamedPimMachine machine) {
  MachineState state(machine);
  return write_fields([&](Fields& fields) { describe_machine(fields, state); });
}

Json machine_schema() {
  NamedPimMachine machine;
  MachineState state(machine);
  return schema_of([&](Fields& fields) { describe_machine(fields, state); });
}

}  // namespace nestor::io::pim
