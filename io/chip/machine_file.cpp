#include "io/chip/machine_file.h"

#include <fmt/format.h>

#include <array>

#include "io/document_edit.h"
#include "io/fields.h"
#include "model/chip/functions.h"

namespace nestor::io {
namespace {

using chip::ChipMachine;
using chip::Grid;
using chip::left_out;
using chip::Noc;
using chip::NocKind;

// Ranges that are large enough for any machine; chip::admit checks the machine together with a network.
constexpr IntRange buffer_range = {1, Int{1} << 52};
constexpr IntRange rate_range = {1, Int{1} << 40};
constexpr IntRange grid_range = {1, Int{1} << 24};
constexpr IntRange cell_range = {1, Int{1} << 20};
constexpr IntRange converter_range = {1, 64};
constexpr IntRange cycles_range = {0, Int{1} << 40};
constexpr IntRange function_range = {0, Int{1} << 20};
constexpr IntRange clock_range = {1, Int{1} << 50};

/// Names in `alu_ops`: "pool" for all kinds of pooling, or an ONNX operator.
constexpr std::array<std::string_view, 28> alu_op_names = {"pool",          "MaxPool",
                                                           "AveragePool",   "GlobalAveragePool",
                                                           "GlobalMaxPool", "Relu",
                                                           "Clip",          "Add",
                                                           "Mul",           "Sub",
                                                           "Div",           "Erf",
                                                           "Sigmoid",       "Tanh",
                                                           "Sqrt",          "Pow",
                                                           "Exp",           "HardSwish",
                                                           "HardSigmoid",   "LeakyRelu",
                                                           "PRelu",         "Elu",
                                                           "Softmax",       "LayerNormalization",
                                                           "Gelu",          "BatchNormalization",
                                                           "Concat",        "MatMul"};

// A number of units, or rows and columns of units.
void describe_grid(Fields& fields, std::string_view key, Grid& grid, std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (!node.is_list()) {
      grid = {1, read_integer(node, label, grid_range, reading)};
      return;
    }
    const auto items = read_list(node, label, 2, 2, reading);
    if (items.size() != 2) return;
    grid = {read_integer(items[0], fmt::format("rows of {}", key), grid_range, reading),
            read_integer(items[1], fmt::format("columns of {}", key), grid_range, reading)};
    if (!reading.failed() && grid.count() > grid_range.high)
      reading.fail(node, fmt::format("{} are {}, expected at most {}", key, grid.count(), grid_range.high));
  };
  const auto write = [&] {
    return grid.rows == 1 ? Json(grid.columns) : Json::array({grid.rows, grid.columns});
  };
  const auto schema = [] {
    return Json{{"oneOf",
                 Json::array({integer_schema(grid_range), list_schema({2, 2}, integer_schema(grid_range))})}};
  };
  fields.field({key, required, read, [] {}, write, schema, meaning});
}

// If a matrix of costs is given (`cost`), the value of `kind` has no effect, so any name is accepted.
void describe_noc(Fields& fields, Noc& noc, Int positions, std::string_view of) {
  const auto read_kind = [&](const Node& node, const std::string& label, Reading& reading) {
    if (fields.find("cost")) {
      read_name(node, label, reading);
      noc.kind = NocKind::matrix;
    } else {
      noc.kind = read_word(node, label, chip::noc_kinds, reading);
    }
  };
  const auto write_kind = [&] {
    return noc.kind == NocKind::ideal ? Json() : Json(chip::to_string(noc.kind));
  };
  fields.field(
      {"kind", required, read_kind, [] {}, write_kind, [] { return name_schema(); },
       "ideal, mesh, h-tree or matrix. If `cost` is given, any word is allowed and serves only as a label."});
  const bool hops = noc.kind == NocKind::mesh || noc.kind == NocKind::h_tree;
  Int hop_cycles = hops ? noc.hop_cycles : 1;
  fields.integer("hop_cycles", hop_cycles, cycles_range, hops ? written(Int{1}) : Default<Int>(1),
                 "Cycles of a hop of a mesh or h-tree.");
  if (hops) noc.hop_cycles = hop_cycles;
  const auto count = static_cast<std::size_t>(positions);
  const auto read_cost = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    const std::string what = fmt::format("cost (one row for each of the {} {})", positions, of);
    for (const auto& row : read_list(node, what, count, count, reading)) {
      auto& costs = noc.cost.emplace_back();
      for (const auto& item : read_list(row, "row of cost", count, count, reading))
        costs.push_back(read_integer(item, "cost", cycles_range, reading));
    }
  };
  const auto write_cost = [&] { return noc.cost.empty() ? Json() : Json(noc.cost); };
  const auto cost_schema = [] {
    const Json row = {{"type", "array"}, {"items", integer_schema(cycles_range)}};
    return Json{{"type", "array"}, {"items", row}};
  };
  fields.field({"cost", noc.kind == NocKind::matrix ? required_here : optional, read_cost, [] {}, write_cost,
                cost_schema, "Cycles between each pair of positions, with one row per source."});
}

void describe_chip(Fields& fields, ChipMachine& machine) {
  describe_grid(fields, "cores", machine.cores, "Number of cores, or rows and columns of cores.");
  fields.integer("alu", machine.chip_alu, rate_range, left_out,
                 "Digital operations per cycle of one operator; default: ideal.");
  fields.flag("alu_shared", machine.alu_shared, false,
              "True if a segment lasts at least as long as all its digital operations take.");
  fields.part(
      "l0", optional,
      [&](Fields& l0) {
        l0.quantity("size", machine.l0.size, size_units, buffer_range, left_out, "Bits; default: unlimited.");
        l0.quantity("bandwidth", machine.l0.bandwidth, size_units, rate_range, left_out,
                    "Bits per cycle of the port of each operator, in each direction; default: ideal.");
        l0.flag("hidden", machine.l0.hidden, false,
                "True if transfers after the first window overlap with computation, as the paper assumes.");
        l0.flag("shared", machine.l0.shared, false,
                "True if all transfers of a segment share one port and its bandwidth.");
        l0.flag("strict", machine.l0.strict, false,
                "True if tensors that exceed the size are illegal; otherwise the excess is spilled off the "
                "chip.");
      },
      "Global buffer of the chip.");
  fields.part(
      "off_chip", optional,
      [&](Fields& off_chip) {
        off_chip.quantity("bandwidth", machine.off_chip_bandwidth, size_units, rate_range, left_out,
                          "Bits per cycle, for spilled tensors and weights; default: ideal.");
      },
      "Memory outside the chip.");
  fields.part(
      "noc", optional,
      [&](Fields& noc) { describe_noc(noc, machine.chip_noc, machine.cores.count(), "cores"); },
      "Network between the cores; default: ideal.");
}

void describe_core(Fields& fields, ChipMachine& machine) {
  describe_grid(fields, "crossbars", machine.crossbars,
                "Number of crossbars of a core, or rows and columns of crossbars.");
  fields.integer("alu", machine.core_alu, rate_range, left_out,
                 "Shift-and-add operations per cycle of a core; default: ideal.");
  fields.part(
      "l1", optional,
      [&](Fields& l1) {
        l1.quantity("size", machine.l1.size, size_units, buffer_range, left_out, "Bits; default: unlimited.");
        l1.quantity("bandwidth", machine.l1.bandwidth, size_units, rate_range, left_out,
                    "Bits per cycle; default: ideal.");
      },
      "Local buffer of a core.");
  fields.part(
      "noc", optional,
      [&](Fields& noc) { describe_noc(noc, machine.core_noc, machine.crossbars.count(), "crossbars"); },
      "Network between the crossbars of a core; default: ideal.");
}

void describe_crossbar(Fields& fields, chip::CellArray& cell) {
  const auto read_size = [&](const Node& node, const std::string& label, Reading& reading) {
    const auto items = read_list(node, label, 2, 2, reading);
    if (items.size() != 2) return;
    cell.rows = read_integer(items[0], "rows of size", cell_range, reading);
    cell.columns = read_integer(items[1], "columns of size", cell_range, reading);
  };
  fields.field({"size", required, read_size, [] {},
                [&] {
                  return Json::array({cell.rows, cell.columns});
                },
                [] {
                  return list_schema({2, 2}, integer_schema(cell_range));
                },
                "Rows and columns of cells."});
  fields.integer("parallel_rows", cell.parallel_rows, cell_range, derived(cell.rows),
                 "Rows active at the same time; default: all.");
  fields.integer("dac", cell.dac, converter_range, left_out,
                 "Bits of the inputs of one pass; default: all bits in one pass.");
  fields.integer("adc", cell.adc, converter_range, left_out,
                 "Bits of the converted sums, which affect only computed values; default: exact.");
  fields.name("type", cell.type, written(std::string("SRAM")), "Type of the cells.");
  fields.integer("cell_bits", cell.cell_bits, converter_range, written(Int{1}), "Bits of a cell.");
  fields.flag("runtime_write", cell.runtime_write, derived(cell.type == "SRAM"),
              "True if activations may be written as weights; default: true if the type is SRAM.");
  fields.integer("write_cycles", cell.write_cycles, cycles_range, 0, "Cycles to write a row.");
}

void describe_energy(Fields& fields, chip::Energies& energy) {
  const auto pj = [&](std::string_view key, double& value, std::string_view meaning) {
    fields.number(key, value, energy_range, 0, meaning);
  };
  pj("crossbar", energy.crossbar, "pJ per active crossbar and cycle.");
  pj("adc", energy.adc, "pJ per active crossbar and cycle.");
  pj("dac", energy.dac, "pJ per active crossbar and cycle.");
  pj("alu", energy.alu, "pJ per digital operation.");
  pj("l0", energy.l0, "pJ per bit.");
  pj("l1", energy.l1, "pJ per bit.");
  pj("noc", energy.noc, "pJ per bit and cycle.");
  pj("write", energy.write, "pJ per row.");
  pj("off_chip", energy.off_chip, "pJ per bit.");
  pj("leakage", energy.leakage, "pJ per cycle.");
}

constexpr std::string_view ops_meaning =
    "Operations per output element; for max, sum, maxpool and avgpool, per element read.";

// The value of a function is a number of operations, or a map that also says what the function computes.
void describe_function(Fields& fields, chip::ChipFunction& function) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    function.does = read_text(node, label, reading);
  };
  const auto write = [&] {
    return chip::function_word(function.name) == function.does ? Json() : Json(function.does);
  };
  fields.field({"does", optional, read, [] {}, write,
                [] {
                  return Json{{"type", "string"}};
                },
                "A digital function or an ONNX operator type; default: the name."});
  fields.integer("ops", function.ops, function_range, required, ops_meaning);
}

chip::ChipFunction read_function(const Node& key, const Node& value,
                                 const std::vector<chip::ChipFunction>& others, Reading& reading) {
  chip::ChipFunction function{std::string(key.text()), std::string(key.text()), 1};
  if (!chip::may_be_called(function.name) || function.name.size() > 64)
    reading.fail(
        key,
        fmt::format(
            "function {} is not a name that a program can call (letters, digits and '_', not a statement)",
            quote(function.name)));
  if (value.is_map())
    read_fields(value, "function", reading, [&](Fields& fields) { describe_function(fields, function); });
  else
    function.ops = read_integer(value, function.name, function_range, reading);
  if (reading.failed()) return function;
  if (!chip::is_function_word(function.does)) {
    const auto said = value.is_map() ? value.find("does") : std::nullopt;
    reading.fail(
        said ? *said : key,
        fmt::format("{} is neither a digital function nor an ONNX operator type{}", quote(function.does),
                    said ? "" : ", and it has no 'does' that specifies what it computes"));
    return function;
  }
  function.does = chip::function_word(function.does);
  for (const auto& other : others)
    if (other.name == function.name)
      reading.fail(key, fmt::format("function {} is given twice", quote(function.name)));
    else if (other.does == function.does)
      reading.fail(key, fmt::format("functions {} and {} both compute {}", quote(other.name),
                                    quote(function.name), function.does));
  return function;
}

void describe_functions(Fields& fields, ChipMachine& machine) {
  const auto read = [&](const Node& node, const std::string& /*label*/, Reading& reading) {
    auto& functions = machine.functions.emplace();
    if (!node.is_map()) return reading.fail(node, "functions is not a map of names to costs");
    for (std::size_t i = 0; i < node.size() && !reading.failed(); ++i)
      functions.push_back(read_function(node.key(i), node.value(i), functions, reading));
  };
  const auto write = [&] {
    if (!machine.functions) return Json();
    Json json = Json::object();
    for (auto& function : *machine.functions) {
      auto value = write_fields([&](Fields& inner) { describe_function(inner, function); });
      json[function.name] = value.size() == 1 ? value["ops"] : std::move(value);
    }
    return json;
  };
  const auto schema = [] {
    chip::ChipFunction function;
    auto number = integer_schema(function_range);
    number["description"] = ops_meaning;
    const auto map = schema_of([&](Fields& inner) { describe_function(inner, function); });
    return Json{{"type", "object"}, {"additionalProperties", {{"oneOf", Json::array({number, map})}}}};
  };
  fields.field(
      {"functions", optional, read, [] {}, write, schema,
       "The digital functions of the chip, by the names that programs call; not allowed together with "
       "alu_ops. Default: all functions, at the usual costs."});
}

void describe_alu_ops(Fields& fields, ChipMachine& machine) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    if (machine.functions)
      reading.fail(node, "alu_ops cannot be used with functions, which already specify all costs");
    const MapReader map(node, label, alu_op_names, reading);
    for (std::size_t i = 0; node.is_map() && i < node.size() && !reading.failed(); ++i) {
      const std::string key(node.key(i).text());
      machine.alu_ops.emplace_back(key, map.integer(key, function_range));
    }
  };
  const auto write = [&] {
    Json json;
    for (const auto& [name, count] : machine.alu_ops) json[name] = count;
    return json;
  };
  fields.field({"alu_ops", optional, read, [] {}, write,
                [] { return map_schema(alu_op_names, integer_schema(function_range)); },
                "Operations per element of an ONNX operator; `pool` applies to all pooling operators."});
}

void describe_machine(Fields& fields, ChipMachine& machine) {
  fields.name("name", machine.name, "Name of the machine.");
  fields.text("source", machine.source, "Origin of the parameters.");
  fields.constant("kind", "chip", required, "Kind of machine.");
  fields.word("mode", machine.mode, chip::modes, required,
              "Units that the interface exposes: cores, crossbars or word lines.");
  fields.part(
      "chip", required, [&](Fields& chip) { describe_chip(chip, machine); }, "");
  fields.part(
      "core", required, [&](Fields& core) { describe_core(core, machine); }, "");
  fields.part(
      "crossbar", required, [&](Fields& crossbar) { describe_crossbar(crossbar, machine.cell); }, "");
  fields.part(
      "energy", optional, [&](Fields& energy) { describe_energy(energy, machine.energy); }, "");
  describe_functions(fields, machine);
  describe_alu_ops(fields, machine);
  auto clock = static_cast<Int>(machine.clock);
  fields.quantity("clock", clock, frequency_units, clock_range, 0, "Frequency in Hz.");
  machine.clock = static_cast<double>(clock);
}

}  // namespace

chip::ChipMachine read_chip_machine_node(const Node& node, Reading& reading) {
  ChipMachine machine;
  read_fields(node, "architecture", reading, [&](Fields& fields) { describe_machine(fields, machine); });
  return machine;
}

namespace {

Result<chip::ChipMachine> chip_machine_from(const Node& root) {
  Reading reading;
  auto machine = read_chip_machine_node(root, reading);
  if (reading.failed()) return reading.error();
  return machine;
}

}  // namespace

Result<chip::ChipMachine> parse_chip_machine(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file);
  if (!document) return document.error();
  return chip_machine_from(document->root());
}

Result<chip::ChipMachine> read_chip_machine(const std::string& path_or_name,
                                            std::span<const std::string> settings) {
  return read_machine_file(path_or_name, settings, chip_machine_from);
}

Json chip_machine_to_json(chip::ChipMachine machine) {
  return write_fields([&](Fields& fields) { describe_machine(fields, machine); });
}

Json chip_machine_schema() {
  ChipMachine machine;
  return schema_of([&](Fields& fields) { describe_machine(fields, machine); });
}

}  // namespace nestor::io
