#include "io/chip/machine_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/document_edit.h"
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
constexpr Int most_of_a_grid = Int{1} << 24;

class MachineReader {
 public:
  explicit MachineReader(Reading& reading) : reading_(reading) {}

  ChipMachine read(const Node& node) {
    const MapReader top(node, "architecture", chip_machine_keys::top, reading_);
    constexpr std::array<std::string_view, 1> kinds = {"chip"};
    top.word("kind", kinds);
    machine_.name = top.name("name");
    machine_.source = top.text("source", "");
    machine_.mode = top.word("mode", chip::modes);
    if (const auto chip = top.require("chip")) read_chip(*chip);
    if (const auto core = top.require("core")) read_core(*core);
    if (const auto crossbar = top.require("crossbar")) read_crossbar(*crossbar);
    if (const auto energy = top.find("energy")) read_energy(*energy);
    const auto functions = top.find("functions");
    if (functions) read_functions(*functions);
    if (const auto operations = top.find("alu_ops")) {
      if (functions)
        reading_.fail(*operations, "alu_ops cannot be used with functions, which already specify all costs");
      read_alu_ops(*operations);
    }
    machine_.clock = static_cast<double>(top.quantity("clock", frequency_units, {1, Int{1} << 50}, 0));
    return std::move(machine_);
  }

 private:
  void read_chip(const Node& node) {
    const MapReader map(node, "chip", chip_machine_keys::chip, reading_);
    machine_.cores = grid(map, "cores");
    machine_.chip_alu = map.integer("alu", rate_range, left_out);
    machine_.alu_shared = map.flag("alu_shared", false);
    if (const auto found = map.find("l0")) {
      const MapReader l0(*found, "l0", chip_machine_keys::l0, reading_);
      machine_.l0.size = l0.quantity("size", size_units, buffer_range, left_out);
      machine_.l0.bandwidth = l0.quantity("bandwidth", size_units, rate_range, left_out);
      machine_.l0.hidden = l0.flag("hidden", false);
      machine_.l0.shared = l0.flag("shared", false);
      machine_.l0.strict = l0.flag("strict", false);
    }
    if (const auto found = map.find("off_chip")) {
      const MapReader off_chip(*found, "off_chip", chip_machine_keys::off_chip, reading_);
      machine_.off_chip_bandwidth = off_chip.quantity("bandwidth", size_units, rate_range, left_out);
    }
    if (const auto found = map.find("noc")) machine_.chip_noc = noc(*found, machine_.cores.count(), "cores");
  }

  void read_core(const Node& node) {
    const MapReader map(node, "core", chip_machine_keys::core, reading_);
    machine_.crossbars = grid(map, "crossbars");
    machine_.core_alu = map.integer("alu", rate_range, left_out);
    if (const auto found = map.find("l1")) {
      const MapReader l1(*found, "l1", chip_machine_keys::l1, reading_);
      machine_.l1.size = l1.quantity("size", size_units, buffer_range, left_out);
      machine_.l1.bandwidth = l1.quantity("bandwidth", size_units, rate_range, left_out);
    }
    if (const auto found = map.find("noc"))
      machine_.core_noc = noc(*found, machine_.crossbars.count(), "crossbars");
  }

  void read_crossbar(const Node& node) {
    const MapReader map(node, "crossbar", chip_machine_keys::crossbar, reading_);
    auto& cell = machine_.cell;
    if (const auto size = map.require("size")) {
      const auto items = read_list(*size, "size", 2, 2, reading_);
      if (items.size() == 2) {
        cell.rows = read_integer(items[0], "rows of size", cell_range, reading_);
        cell.columns = read_integer(items[1], "columns of size", cell_range, reading_);
      }
    }
    cell.parallel_rows = map.integer("parallel_rows", cell_range, cell.rows);
    cell.dac = map.integer("dac", converter_range, left_out);
    cell.adc = map.integer("adc", converter_range, left_out);
    cell.type = "SRAM";
    if (map.find("type")) cell.type = map.name("type");
    cell.cell_bits = map.integer("cell_bits", converter_range, 1);
    cell.runtime_write = map.flag("runtime_write", cell.type == "SRAM");
    cell.write_cycles = map.integer("write_cycles", cycles_range, 0);
  }

  void read_energy(const Node& node) {
    const MapReader map(node, "energy", chip_machine_keys::energy, reading_);
    auto& energy = machine_.energy;
    const auto read = [&](std::string_view key, double& value) {
      constexpr double most = 1e30;
      value = map.number(key, 0, 0);
      if (value > most && !reading_.failed())
        reading_.fail(*map.find(key), fmt::format("{} is {}, expected at most 1e30", key, value));
    };
    read("crossbar", energy.crossbar);
    read("adc", energy.adc);
    read("dac", energy.dac);
    read("alu", energy.alu);
    read("l0", energy.l0);
    read("l1", energy.l1);
    read("noc", energy.noc);
    read("write", energy.write);
    read("off_chip", energy.off_chip);
    read("leakage", energy.leakage);
  }

  void read_alu_ops(const Node& node) {
    const MapReader map(node, "alu_ops", chip_machine_keys::alu_ops, reading_);
    for (std::size_t i = 0; node.is_map() && i < node.size() && !reading_.failed(); ++i) {
      const std::string key(node.key(i).text());
      machine_.alu_ops.emplace_back(key, map.integer(key, {0, Int{1} << 20}));
    }
  }

  void read_functions(const Node& node) {
    machine_.functions.emplace();
    if (!node.is_map()) return reading_.fail(node, "functions is not a map of names to costs");
    for (std::size_t i = 0; i < node.size() && !reading_.failed(); ++i) {
      const Node key = node.key(i);
      const auto function = read_function(key, node.value(i));
      if (!reading_.failed()) machine_.functions->push_back(function);
    }
  }

  chip::ChipFunction read_function(const Node& key, const Node& value) {
    chip::ChipFunction function{std::string(key.text()), {}, 1};
    if (!chip::may_be_called(function.name) || function.name.size() > 64)
      reading_.fail(
          key,
          fmt::format(
              "function {} is not a name that a program can call (letters, digits and '_', not a statement)",
              quote(function.name)));
    std::string does = function.name;
    std::optional<Node> said;
    if (value.is_map()) {
      const MapReader map(value, "function", chip_machine_keys::function, reading_);
      function.ops = map.integer("ops", function_range);
      said = map.find("does");
      does = map.text("does", does);
    } else {
      function.ops = read_integer(value, function.name, function_range, reading_);
    }
    if (reading_.failed()) return function;
    if (!chip::is_function_word(does)) {
      reading_.fail(said ? *said : key,
                    fmt::format("{} is neither a digital function nor an ONNX operator type{}", quote(does),
                                said ? "" : ", and it has no 'does' that specifies what it computes"));
      return function;
    }
    function.does = chip::function_word(does);
    for (const auto& other : *machine_.functions)
      if (other.name == function.name)
        reading_.fail(key, fmt::format("function {} is given twice", quote(function.name)));
      else if (other.does == function.does)
        reading_.fail(key, fmt::format("functions {} and {} both compute {}", quote(other.name),
                                       quote(function.name), function.does));
    return function;
  }

  Grid grid(const MapReader& map, std::string_view key) {
    const auto node = map.require(key);
    if (!node) return {};
    if (!node->is_list()) return {1, read_integer(*node, key, grid_range, reading_)};
    const auto items = read_list(*node, key, 2, 2, reading_);
    if (items.size() != 2) return {};
    const Grid grid{read_integer(items[0], fmt::format("rows of {}", key), grid_range, reading_),
                    read_integer(items[1], fmt::format("columns of {}", key), grid_range, reading_)};
    if (!reading_.failed() && grid.count() > most_of_a_grid)
      reading_.fail(*node, fmt::format("{} are {}, expected at most {}", key, grid.count(), most_of_a_grid));
    return grid;
  }

  // If a matrix of costs is given (`cost`), the value of `kind` has no effect, so any name is accepted.
  Noc noc(const Node& node, Int positions, std::string_view of) {
    Noc result;
    const MapReader map(node, "noc", chip_machine_keys::noc, reading_);
    const auto cost = map.find("cost");
    if (!cost) {
      result.kind = map.word("kind", chip::noc_kinds);
      result.hop_cycles = map.integer("hop_cycles", cycles_range, 1);
      if (result.kind == NocKind::matrix) map.require("cost");
      return result;
    }
    map.name("kind");
    map.integer("hop_cycles", cycles_range, 1);
    result.kind = NocKind::matrix;
    const auto count = static_cast<std::size_t>(positions);
    const std::string what = fmt::format("cost (one row for each of the {} {})", positions, of);
    for (const auto& row : read_list(*cost, what, count, count, reading_)) {
      auto& costs = result.cost.emplace_back();
      for (const auto& item : read_list(row, "row of cost", count, count, reading_))
        costs.push_back(read_integer(item, "cost", cycles_range, reading_));
    }
    return result;
  }

  Reading& reading_;
  ChipMachine machine_;
};

Json grid_to_json(const Grid& grid) {
  if (grid.rows == 1) return grid.columns;
  return Json::array({grid.rows, grid.columns});
}

Json noc_to_json(const Noc& noc) {
  if (noc.kind == NocKind::matrix) return {{"kind", "matrix"}, {"cost", noc.cost}};
  return {{"kind", chip::to_string(noc.kind)}, {"hop_cycles", noc.hop_cycles}};
}

template <typename Value>
void put_unless(Json& json, const char* key, const Value& value, const Value& fallback) {
  if (value != fallback) json[key] = value;
}

Json chip_to_json(const ChipMachine& machine) {
  Json chip = {{"cores", grid_to_json(machine.cores)}};
  put_unless(chip, "alu", machine.chip_alu, left_out);
  put_unless(chip, "alu_shared", machine.alu_shared, false);
  Json l0 = Json::object();
  put_unless(l0, "size", machine.l0.size, left_out);
  put_unless(l0, "bandwidth", machine.l0.bandwidth, left_out);
  put_unless(l0, "hidden", machine.l0.hidden, false);
  put_unless(l0, "shared", machine.l0.shared, false);
  put_unless(l0, "strict", machine.l0.strict, false);
  if (!l0.empty()) chip["l0"] = l0;
  if (machine.off_chip_bandwidth != left_out) chip["off_chip"] = {{"bandwidth", machine.off_chip_bandwidth}};
  if (machine.chip_noc.kind != NocKind::ideal) chip["noc"] = noc_to_json(machine.chip_noc);
  return chip;
}

Json core_to_json(const ChipMachine& machine) {
  Json core = {{"crossbars", grid_to_json(machine.crossbars)}};
  put_unless(core, "alu", machine.core_alu, left_out);
  Json l1 = Json::object();
  put_unless(l1, "size", machine.l1.size, left_out);
  put_unless(l1, "bandwidth", machine.l1.bandwidth, left_out);
  if (!l1.empty()) core["l1"] = l1;
  if (machine.core_noc.kind != NocKind::ideal) core["noc"] = noc_to_json(machine.core_noc);
  return core;
}

Json crossbar_to_json(const chip::CellArray& cell) {
  Json json = {{"size", Json::array({cell.rows, cell.columns})}};
  put_unless(json, "parallel_rows", cell.parallel_rows, cell.rows);
  put_unless(json, "dac", cell.dac, left_out);
  put_unless(json, "adc", cell.adc, left_out);
  json["type"] = cell.type;
  json["cell_bits"] = cell.cell_bits;
  put_unless(json, "runtime_write", cell.runtime_write, cell.type == "SRAM");
  put_unless(json, "write_cycles", cell.write_cycles, Int{0});
  return json;
}

}  // namespace

chip::ChipMachine read_chip_machine_node(const Node& node, Reading& reading) {
  return MachineReader(reading).read(node);
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

Json chip_machine_to_json(const chip::ChipMachine& machine) {
  Json json = {{"name", machine.name}};
  if (!machine.source.empty()) json["source"] = machine.source;
  json["kind"] = "chip";
  json["mode"] = chip::to_string(machine.mode);
  json["chip"] = chip_to_json(machine);
  json["core"] = core_to_json(machine);
  json["crossbar"] = crossbar_to_json(machine.cell);
  Json energy = Json::object();
  const auto& e = machine.energy;
  put_unless(energy, "crossbar", e.crossbar, 0.0);
  put_unless(energy, "adc", e.adc, 0.0);
  put_unless(energy, "dac", e.dac, 0.0);
  put_unless(energy, "alu", e.alu, 0.0);
  put_unless(energy, "l0", e.l0, 0.0);
  put_unless(energy, "l1", e.l1, 0.0);
  put_unless(energy, "noc", e.noc, 0.0);
  put_unless(energy, "write", e.write, 0.0);
  put_unless(energy, "off_chip", e.off_chip, 0.0);
  put_unless(energy, "leakage", e.leakage, 0.0);
  if (!energy.empty()) json["energy"] = energy;
  if (machine.functions) {
    Json& functions = json["functions"] = Json::object();
    for (const auto& function : *machine.functions)
      if (chip::function_word(function.name) == function.does)
        functions[function.name] = function.ops;
      else
        functions[function.name] = {{"does", function.does}, {"ops", function.ops}};
  }
  for (const auto& [name, count] : machine.alu_ops) json["alu_ops"][name] = count;
  if (machine.clock != 0) json["clock"] = static_cast<Int>(machine.clock);
  return json;
}

}  // namespace nestor::io
