// Functions that read machines, networks and schedules from the JSON of a result.
#include <map>
#include <set>

#include "check/chip/form.h"
#include "check/chip/model.h"

namespace nestor::check::chip {
namespace {

constexpr Int most_rows = Int{1} << 22;
constexpr auto most_operators = static_cast<std::size_t>(most_entries);

Int number(const Json& object, const char* key, Int least = 1) {
  return integer(member(object, key), least, key);
}
Int number_or(const Json& object, const char* key, Int otherwise, Int least = 1) {
  return object.contains(key) ? integer(object[key], least, key) : otherwise;
}
bool flag(const Json& object, const char* key, bool otherwise = false) {
  if (!object.contains(key)) return otherwise;
  if (!object[key].is_boolean()) throw Unreadable(std::string(key) + " is neither true nor false");
  return object[key].get<bool>();
}
Json part_or_empty(const Json& object, const char* key) {
  if (!object.contains(key)) return Json::object();
  if (!object[key].is_object()) throw Unreadable(std::string(key) + " is not an object");
  return object[key];
}

// Reads [rows, columns], or n as one row of n columns.
std::array<Int, 2> grid(const Json& object, const char* key) {
  const Json& node = member(object, key);
  if (!node.is_array()) return {1, integer(node, 1, key)};
  if (node.size() != 2) throw Unreadable(std::string(key) + " is not a grid");
  return {integer(node[0], 1, key), integer(node[1], 1, key)};
}

// Returns the word under which functions are compared: in lower case, with one word for operator types that
// share a function.
std::string function_word(std::string word) {
  for (char& c : word)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (word.starts_with("qlinear") && word != "qlinearconv" && word != "qlinearmatmul") word.erase(0, 7);
  if (word == "averagepool" || word == "globalaveragepool") return "avgpool";
  if (word == "globalmaxpool") return "maxpool";
  return word == "layernormalization" ? "layernorm" : word;
}

void read_functions(const Json& node, CheckedChipMachine& machine) {
  if (!node.is_object()) throw Unreadable("the functions are not a map");
  machine.functions.emplace();
  std::set<std::string> words;
  for (const auto& [name, value] : node.items()) {
    std::string word = name;
    if (value.is_object()) {
      integer(member(value, "ops"), 0, "ops");
      if (value.contains("does")) word = word_of(value, "does");
    } else {
      integer(value, 0, "the operations of a function");
    }
    word = function_word(word);
    if (!words.insert(word).second) throw Unreadable("two functions compute the same operation");
    machine.functions->emplace(name, word);
  }
}

// Checks that the chip has all functions that an operator requires.
void check_functions(const Json& node, const CheckedChipMachine& machine) {
  if (!machine.functions) return;
  const auto name = word_of(node, "name");
  if (node.contains("function") && node["function"].is_string() &&
      !machine.computes(function_word(node["function"].get<std::string>())))
    throw Unreadable("operator '" + name + "' requires a function that the chip does not have");
  if (node.contains("calls"))
    for (const Json& call : node["calls"])
      if (!call.is_string() || machine.functions->count(call.get<std::string>()) == 0)
        throw Unreadable("operator '" + name + "' calls a function that the chip does not have");
  if (node.contains("piece") && flag(node["piece"], "adds") && !machine.computes("add"))
    throw Unreadable("operator '" + name + "' adds pieces, but the chip has no function add");
}

Energies read_energies(const Json& node) {
  const Wide unit = power_of_ten(most_places(node));
  const auto of = [&](const char* key) { return node.contains(key) ? decimal_of(node[key]).in(unit) : 0; };
  return {.unit = unit,
          .cell = plus(of("crossbar"), of("adc"), of("dac")),
          .alu = of("alu"),
          .l0 = of("l0"),
          .l1 = of("l1"),
          .off_chip = of("off_chip"),
          .noc = of("noc"),
          .write = of("write"),
          .leakage = of("leakage")};
}

CheckedChipMachine read_machine(const Json& node) {
  check_form(node, machine_form, "the machine");
  CheckedChipMachine machine;
  machine.name = word_of(node, "name");
  machine.mode = word_of(node, "mode");
  const Json& chip = member(node, "chip");
  const auto cores = grid(chip, "cores");
  machine.cores = times(cores[0], cores[1]);
  machine.alu = number_or(chip, "alu", 0);
  machine.shares_alu = flag(chip, "alu_shared") && machine.alu != 0;
  const Json l0 = part_or_empty(chip, "l0");
  machine.l0 = number_or(l0, "bandwidth", 0);
  machine.is_hidden = flag(l0, "hidden");
  machine.shares_l0 = flag(l0, "shared");
  machine.off_chip = number_or(part_or_empty(chip, "off_chip"), "bandwidth", 0);
  machine.l0_size = number_or(l0, "size", 0);
  machine.is_strict = flag(l0, "strict");
  machine.noc = read_noc(chip, cores);

  const Json& core = member(node, "core");
  const auto crossbars = grid(core, "crossbars");
  machine.crossbars = times(crossbars[0], crossbars[1]);
  machine.way = read_noc(core, crossbars).longest_way();
  machine.core_alu = number_or(core, "alu", 0);
  const Json l1 = part_or_empty(core, "l1");
  machine.l1 = number_or(l1, "bandwidth", 0);
  machine.l1_size = number_or(l1, "size", 0);

  const Json& crossbar = member(node, "crossbar");
  const auto size = grid(crossbar, "size");
  machine.rows = size[0];
  machine.columns = size[1];
  machine.parallel_rows = number_or(crossbar, "parallel_rows", machine.rows);
  machine.dac = number_or(crossbar, "dac", 0);
  machine.cell_bits = number_or(crossbar, "cell_bits", 1);
  machine.writes_at_run_time = flag(crossbar, "runtime_write", crossbar.value("type", "SRAM") == "SRAM");
  machine.write_cycles = number_or(crossbar, "write_cycles", 0, 0);
  machine.energy = read_energies(part_or_empty(node, "energy"));
  if (node.contains("clock")) machine.clock = node["clock"].get<double>();
  if (node.contains("functions")) {
    if (node.contains("alu_ops")) throw Unreadable("the machine has both functions and alu_ops");
    read_functions(node["functions"], machine);
  }
  return machine;
}

// Returns the layout of a matrix (section 3).
MatrixLayout layout_of(const CheckedChipMachine& machine, const Operator& op) {
  MatrixLayout layout;
  if (op.kind == Kind::alu) return layout;
  const Int nb = ceiling(op.weight_bits, machine.cell_bits);
  const Int kx = machine.columns / nb;
  const Int apart = times(nb, ceiling(op.matrix_columns, machine.columns));
  const Int xc = kx == 0 ? apart : std::min(apart, ceiling(op.matrix_columns, kx));
  const Int beside = op.groups == 1 ? 0 : std::min(machine.rows / op.matrix_rows, kx / op.matrix_columns);
  layout.is_packed = beside >= 1;
  layout.columns = layout.is_packed ? 1 : times(op.groups, xc);
  layout.least_parts = layout.is_packed ? ceiling(op.groups, beside) : ceiling(op.matrix_rows, machine.rows);
  layout.most_parts = layout.is_packed ? op.groups : op.matrix_rows;
  layout.held = machine.crossbars;
  if (machine.l1_size != 0)
    layout.held = std::min(layout.held,
                           machine.l1_size / plus(times(machine.rows, op.in_bits), times(kx, op.out_bits)));
  layout.fits = layout.held >= 1 &&
                times(layout.least_parts, layout.columns) <= times(machine.cores, layout.held) &&
                (op.kind == Kind::array || machine.writes_at_run_time);
  return layout;
}

void read_bits(const Json& node, Operator& op) {
  op.in_bits = number_or(node, "I", op.in_bits);
  op.weight_bits = number_or(node, "W", op.weight_bits);
  op.out_bits = number_or(node, "O", op.out_bits);
}

Operator read_operator(const Json& node, const Operator& widths,
                       const std::map<std::string, Input>& tensors) {
  Operator op = widths;
  op.name = word_of(node, "name");
  const auto kind = word_of(node, "kind");
  op.kind = kind == "array" ? Kind::array : kind == "alu" ? Kind::alu : Kind::product;
  op.rows = number(node, "rows");
  op.width = number(node, "width");
  op.channels = number(node, "channels");
  op.in_channels = number(node, "in_channels", 0);
  op.row_in = number(node, "row_in", 0);
  op.alu_ops = number_or(node, "alu_ops", 0, 0);
  if (op.kind != Kind::alu) {
    const Json& matrix = member(node, "matrix");
    op.matrix_rows = number(matrix, "rows");
    op.matrix_columns = number(matrix, "columns");
    op.groups = number_or(matrix, "groups", 1);
  }
  read_bits(part_or_empty(node, "bits"), op);
  for (const Json& item : list_of(node, "inputs", most_operators)) {
    const auto found = tensors.find(word_of(item, "from"));
    if (found == tensors.end())
      throw Unreadable(
          "an operator reads a tensor that is neither an input nor the output of an earlier operator");
    Input input = found->second;
    input.is_gated = flag(item, "gate");
    if (!input.is_gated) {
      const Json& need = list_of(item, "need", 3);
      if (need.size() != 3) throw Unreadable("a need is invalid");
      // The rules require that the needed row never decreases from one row to the next. Therefore a >= 0.
      input.a = integer(need[0], 0, "need");
      input.b = integer(need[1], -(Int{1} << 52), "need");
      input.c = integer(need[2], 1, "need");
    }
    if (item.contains("pixels")) {
      const Json& pixels = list_of(item, "pixels", 3);
      if (pixels.size() != 3) throw Unreadable("pixels of an input are invalid");
      input.pixels = {integer(pixels[0], 0, "pixels"), integer(pixels[1], -(Int{1} << 52), "pixels"),
                      integer(pixels[2], 1, "pixels")};
    }
    if (item.contains("taps")) {
      const Json& taps = list_of(item, "taps", 2);
      if (taps.size() != 2) throw Unreadable("taps of an input are invalid");
      input.taps = integer(taps[0], 1, "taps");
      input.tap_step = integer(taps[1], 0, "taps");
      if (input.taps > op.matrix_rows) throw Unreadable("an input has more taps than matrix rows");
    }
    op.inputs.push_back(input);
  }
  return op;
}

// Returns those levels of the decisions that the machine's mode supports.
Levels read_levels(const Json& words, const std::string& mode) {
  Levels levels;
  for (const Json& word : words) {
    levels.mvm |= word == "mvm";
    levels.vvm |= word == "vvm";
    levels.stream |= word == "stream";
    if (word != "cg" && word != "mvm" && word != "stream" && word != "vvm")
      throw Unreadable("a level is invalid");
  }
  levels.mvm = levels.mvm && mode != "CM";
  levels.vvm = levels.vvm && levels.mvm && mode == "WLM";
  levels.stream = levels.stream && levels.mvm;
  return levels;
}

}  // namespace

CheckedChipProblem read_problem(const Json& architecture, const Json& network, const Json& decisions) {
  CheckedChipProblem problem;
  problem.machine = read_machine(architecture);
  problem.levels = read_levels(list_of(decisions, "levels", 4), problem.machine.mode);
  check_form(network, network_form, "the network");
  problem.name = word_of(network, "name");
  Operator widths;
  read_bits(part_or_empty(network, "bits"), widths);
  std::map<std::string, Input> tensors;
  for (const Json& node : list_of(network, "inputs", most_operators)) {
    if (!tensors.emplace(word_of(node, "name"), Input{.from = problem.input_bytes.size()}).second)
      throw Unreadable("two of its tensors have the same name");
    problem.input_bytes.push_back(times(number(node, "rows"), number(node, "width"), number(node, "channels"),
                                        ceiling(widths.in_bits, Int{8})));
  }
  Int rows = 0;
  std::vector<bool> is_read;
  for (const Json& node : list_of(network, "operators", most_operators)) {
    check_functions(node, problem.machine);
    problem.operators.push_back(read_operator(node, widths, tensors));
    const Operator& op = problem.operators.back();
    rows = plus(rows, op.rows);
    if (rows > most_rows) throw Unreadable("its network has too many rows");
    is_read.push_back(false);
    for (const Input& input : op.inputs)
      if (!input.is_outside) is_read[input.from] = true;
    const Input made{.is_outside = false, .from = problem.operators.size() - 1};
    if (!tensors.emplace(op.name, made).second) throw Unreadable("two of its tensors have the same name");
    problem.layouts.push_back(layout_of(problem.machine, op));
  }
  if (problem.operators.empty()) throw Unreadable("its network has no operators");
  if (network.contains("outputs"))
    for (const Json& name : network["outputs"]) {
      const auto found = name.is_string() ? tensors.find(name.get<std::string>()) : tensors.end();
      if (found == tensors.end() || found->second.is_outside)
        throw Unreadable("an output of the network is not the tensor of an operator");
      problem.outputs.push_back(found->second.from);
    }
  for (std::size_t i = 0; i < is_read.size() && !network.contains("outputs"); ++i)
    if (!is_read[i]) problem.outputs.push_back(i);
  return problem;
}

Schedule read_schedule(const Json& decisions, const CheckedChipProblem& problem) {
  check_form(decisions, decisions_form, "the decisions");
  const std::size_t count = problem.operators.size();
  Schedule schedule;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places[problem.operators[i].name] = i;
  schedule.decisions = problem.defaults();
  const auto place_of = [&](const Json& node, const char* key) {
    const auto found = places.find(word_of(node, key));
    if (found == places.end()) throw Unreadable("its decisions name an operator that does not exist");
    return found->second;
  };
  std::vector<bool> is_given(count, false);
  for (const Json& node : list_of(decisions, "segments", count)) {
    const bool is_stream = node.contains("pipeline") && node["pipeline"] == "stream";
    schedule.runs.push_back(
        {place_of(node, "from"), place_of(node, "to"), is_stream || flag(node, "pipeline", true), is_stream});
    if (!node.contains("operators")) continue;
    for (const Json& item : list_of(node, "operators", count)) {
      const std::size_t i = place_of(item, "name");
      if (i < schedule.runs.back().first || i > schedule.runs.back().last)
        throw Unreadable("its decisions list an operator in another segment");
      if (is_given[i]) throw Unreadable("its decisions list an operator twice");
      is_given[i] = true;
      Decision& decision = schedule.decisions[i];
      if (item.contains("first_core") && !item["first_core"].is_null())
        decision.first_core = integer(item["first_core"], 0, "first_core");
      const auto on = item.contains("on") ? word_of(item, "on") : decision.on_array ? "array" : "alu";
      if ((on != "array" && on != "alu") ||
          ((on == "array") != decision.on_array && problem.operators[i].kind != Kind::product))
        throw Unreadable("an operator is on a unit that cannot run its kind");
      decision.on_array = on == "array";
      decision.copies = number_or(item, "copies", 1);
      decision.parts = number_or(item, "parts", 0, 0);
      decision.phases = number_or(item, "phases", 1);
    }
  }
  return schedule;
}

}  // namespace nestor::check::chip
