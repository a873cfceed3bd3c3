#include "io/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/checked.h"
#include "io/layer_file.h"

namespace nestor::io {
namespace {

constexpr std::array<std::string_view, 2> latency_models = {"miredo", "stall"};
constexpr std::array<std::string_view, 7> verb_names = {"show",     "evaluate", "simulate", "verify",
                                                        "schedule", "map",      "lp"};
constexpr std::array<std::string_view, 7> methods = {"nestor", "masim",  "gppic", "simpler",
                                                     "star",   "date24", "exact"};
constexpr std::array<std::string_view, 6> objectives = {"latency", "energy",  "edp",
                                                        "eq14",    "blended", "pareto"};
constexpr std::array<std::string_view, 5> map_methods = {"optimal", "weight-stationary", "output-stationary",
                                                         "input-stationary", "sampled"};
constexpr std::array<std::string_view, 2> factor_sets = {"prime", "flexible"};
constexpr std::array<std::string_view, 3> executors = {"tbb", "std-thread", "serial"};
constexpr std::array<std::string_view, 3> lp_bounds = {"off", "root", "stopped"};
constexpr double no_limit = std::numeric_limits<double>::infinity();

constexpr std::array<std::string_view, 2> simd_objectives = {"copies", "energy"};

/// A choice among the words of an enumeration that counts from 0.
template <auto Field>
constexpr ChoiceValue choice(std::span<const std::string_view> words) {
  using Enum = std::remove_cvref_t<decltype(std::declval<RunOptions>().*Field)>;
  return {words, [](RunOptions& options, std::size_t i) { options.*Field = static_cast<Enum>(i); },
          [](const RunOptions& options) { return static_cast<std::size_t>(options.*Field); }};
}

MaybeError set_bits(RunOptions& options, std::string_view text) {
  const auto bits = parse_bits_option(text);
  if (!bits) return bits.error();
  options.bits = *bits;
  return std::nullopt;
}
std::string get_bits(const RunOptions& options) {
  if (!options.bits) return {};
  return fmt::format("{},{},{},{}", options.bits->input, options.bits->weight, options.bits->output,
                     options.bits->partial_sum);
}

MaybeError set_mu2(RunOptions& options, std::string_view text) {
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size() || !(number >= 0))
    return usage_error(fmt::format("--mu2 is '{}', expected a number from 0", text));
  options.mu2 = number;
  return std::nullopt;
}
std::string get_mu2(const RunOptions& options) {
  return options.mu2 < 0 ? std::string() : fmt::format("{}", options.mu2);
}

// Bytes, with or without a binary unit.
constexpr Int least_memory = Int{1} << 20;
constexpr Int most_memory = Int{1} << 50;
constexpr std::array<std::pair<std::string_view, Int>, 4> byte_units = {
    {{"KiB", Int{1} << 10}, {"MiB", Int{1} << 20}, {"GiB", Int{1} << 30}, {"", 1}}};

MaybeError set_memory_limit(RunOptions& options, std::string_view text) {
  for (const auto& [unit, factor] : byte_units) {
    if (!text.ends_with(unit)) continue;
    auto digits = text.substr(0, text.size() - unit.size());
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    Int number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (code != std::errc() || end != digits.data() + digits.size()) break;
    const auto bytes = checked_multiply(number, factor);
    if (!bytes || *bytes < least_memory || *bytes > most_memory) break;
    options.memory_limit = *bytes;
    return std::nullopt;
  }
  return usage_error(
      fmt::format("--memory-limit is '{}', expected bytes, KiB, MiB or GiB from 1MiB, as 64MiB", text));
}
std::string get_memory_limit(const RunOptions& options) {
  for (const auto& [unit, factor] : {byte_units[2], byte_units[1], byte_units[0]})
    if (options.memory_limit % factor == 0) return fmt::format("{}{}", options.memory_limit / factor, unit);
  return fmt::format("{}", options.memory_limit);
}

// A symbol may hold any character but the comma; its value stands behind the last '='.
MaybeError set_dims(RunOptions& options, std::string_view text) {
  std::vector<std::pair<std::string, Int>> dims;
  while (!text.empty()) {
    const auto binding = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), binding.size() + 1));
    const auto equals = binding.rfind('=');
    const auto number = equals == std::string_view::npos ? "" : binding.substr(equals + 1);
    Int value = 0;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failed != std::errc() || end != number.data() + number.size() || equals == 0 || value < 1) {
      return usage_error(
          fmt::format("--dim is '{}', expected NAME=VALUE with a value of at least 1", binding));
    }
    dims.emplace_back(binding.substr(0, equals), value);
  }
  options.dims = std::move(dims);
  return std::nullopt;
}
std::string get_dims(const RunOptions& options) {
  std::string text;
  for (const auto& [name, value] : options.dims)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

constexpr VerbSet on_search = VerbSet::of(Verb::map);
constexpr VerbSet on_layers =
    VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::map);
constexpr VerbSet on_mappings = VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify);

constexpr std::array table = {
    Option{"arch", "ARCH", TextValue{&RunOptions::arch},
           "The machine: the name of one that ships, or a YAML or JSON file", on_layers},
    Option{"layers", "FILE", TextValue{&RunOptions::layers},
           "The network: the name of one that ships, a layer file or an ONNX model", on_mappings},
    Option{"mapping", "FILE", TextValue{&RunOptions::mapping},
           "One mapping, or a list of mappings in the order of the layers", on_mappings},
    Option{"netlist", "FILE", TextValue{&RunOptions::netlist},
           "The netlist that a schedule runs: Verilog, BLIF or AIGER", VerbSet::of(Verb::verify)},
    Option{"remap", "", SwitchValue{&RunOptions::remap},
           "Map the netlist anew even where it is XOR3/MAJ3 already",
           VerbSet::of(Verb::verify, Verb::schedule)},
    Option{"mapped", "FILE", TextValue{&RunOptions::mapped},
           "Write the mapped netlist: as BLIF where FILE ends in .blif, else as Verilog",
           VerbSet::of(Verb::schedule)},
    Option{"bits", "I,W,O,PSUM", CustomValue{set_bits, get_bits, "four widths, as 8,8,8,32"},
           "Bit widths of every layer's input, weight, output and partial sum", on_layers},
    Option{"batch", "N", IntegerValue{&RunOptions::batch, 1, Int{1} << 31},
           "Inputs processed at once; binds a symbolic batch", on_layers},
    Option{"dim", "NAME=VALUE,...",
           CustomValue{set_dims, get_dims, "symbols and values, as height=224,width=224"},
           "Values of an ONNX model's symbolic dimensions other than the batch", on_layers},
    Option{"latency-model", "MODEL", choice<&RunOptions::latency_model>(latency_models),
           "The latency model in force for totals and EDP", VerbSet::of(Verb::evaluate, Verb::map)},
    Option{"layer", "NAME", TextValue{&RunOptions::layer}, "Only the layer of this name", on_layers},
    Option{"trace", "FILE", TextValue{&RunOptions::trace},
           "Write the timeline of one layer as a Chrome trace, for ui.perfetto.dev",
           VerbSet::of(Verb::simulate)},
    Option{"plain", "", SwitchValue{&RunOptions::plain},
           "Simulate every step instead of multiplying stretches that repeat", VerbSet::of(Verb::simulate)},
    Option{"json", "FILE", TextValue{&RunOptions::json, "-"},
           "Write the result as JSON; - or no FILE means standard output, instead of the tables",
           VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::schedule, Verb::map,
                       Verb::lp)},
    Option{"rows", "N", IntegerValue{&RunOptions::rows, 4, Int{1} << 30}, "Rows of every array",
           VerbSet::of(Verb::schedule)},
    Option{"arrays", "N", IntegerValue{&RunOptions::arrays, 0, Int{1} << 20},
           "Arrays of the machine; 0 means as many as useful", VerbSet::of(Verb::schedule)},
    Option{"method", "METHOD", choice<&RunOptions::method>(methods), "The scheduler",
           VerbSet::of(Verb::schedule)},
    Option{"objective", "OBJECTIVE", choice<&RunOptions::objective_simd>(simd_objectives),
           "What the schedule is judged by", VerbSet::of(Verb::schedule)},
    Option{"recompute", "", SwitchValue{&RunOptions::recompute},
           "Compute a node again where that costs less energy than copying it", VerbSet::of(Verb::schedule)},
    Option{"output", "FILE", TextValue{&RunOptions::output}, "Write the schedule as text",
           VerbSet::of(Verb::schedule), 'o'},
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::time_limit, 0.0, 1e9},
           "Time for the run; method nestor plans its work by it", VerbSet::of(Verb::schedule)},
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 0, std::numeric_limits<Int>::max()},
           "Work after which the run ends, the same on every machine; 0 means none",
           VerbSet::of(Verb::schedule)},
    Option{"planned-work", "N", IntegerValue{&RunOptions::planned_work, 0, std::numeric_limits<Int>::max()},
           "Work that method nestor plans for; 0 means what the limits allow. With the work and the planned "
           "work of a run that was stopped, --work-limit and --planned-work give the same schedule again, if "
           "--time-limit leaves the time for it",
           VerbSet::of(Verb::schedule)},
    Option{"workers", "N", IntegerValue{&RunOptions::workers, 1, 1024},
           "Searches that method nestor runs side by side, which share the work; the result depends on how "
           "many, not on --threads",
           VerbSet::of(Verb::schedule)},
    Option{"seed", "N", IntegerValue{&RunOptions::seed, 0, std::numeric_limits<Int>::max()},
           "Seed of everything random", VerbSet::of(Verb::schedule, Verb::map)},
    Option{"threads", "N", IntegerValue{&RunOptions::threads, 0, 1024},
           "Threads; 0 means one per hardware thread", VerbSet::of(Verb::schedule, Verb::map)},
    Option{"method", "METHOD", choice<&RunOptions::map_method>(map_methods),
           "Search for the optimum, or build a baseline to compare with (for latency, without proof)",
           on_search},
    Option{"objective", "WHAT", choice<&RunOptions::objective>(objectives),
           "What every layer's mapping is to minimise", on_search},
    Option{"mu1", "WEIGHT", RealValue{&RunOptions::mu1, 0, no_limit}, "Weight of latency in eq14", on_search},
    Option{"mu2", "WEIGHT", CustomValue{set_mu2, get_mu2, "a number from 0"},
           "Weight of tile sizes in eq14; without it, one that only breaks ties", on_search},
    Option{"alpha", "WEIGHT", RealValue{&RunOptions::alpha, 0, no_limit}, "Weight of latency in blended",
           on_search},
    Option{"beta", "WEIGHT", RealValue{&RunOptions::beta, 0, no_limit}, "Weight of energy in blended",
           on_search},
    Option{
        "fix", "FILE", TextValue{&RunOptions::fix},
        "Constraints on the mappings: dims, factors and use of axes, memories of operands, outermost loops",
        on_search},
    Option{"factors", "SET", choice<&RunOptions::factors>(factor_sets),
           "Build tiles from all prime factors, or from few larger ones (MIREDO's flexible factorization)",
           on_search},
    Option{"pad", "PERCENT", RealValue{&RunOptions::pad, 0, 100},
           "Let awkward bounds grow by so much where that makes the layer cheaper", on_search},
    Option{"top", "K", IntegerValue{&RunOptions::top, 1, 1000},
           "Prove the K best spatial unrollings of each layer", on_search},
    Option{"nests", "", SwitchValue{&RunOptions::nests},
           "Print the chosen mapping of every layer as a loop nest", on_search},
    Option{"explain", "", SwitchValue{&RunOptions::explain},
           "Say what binds: search each layer again with more of every bandwidth, capacity and axis",
           on_search},
    Option{"lp-bound", "WHEN", choice<&RunOptions::lp_bound>(lp_bounds),
           "Bound energy, and cycles under stall, by linear programs: of each spatial choice before it is "
           "searched, or of those still open when work or memory has run out",
           on_search},
    Option{"bound-only", "", SwitchValue{&RunOptions::bound_only},
           "Search nothing: how good a bound each technique gives, and how many spatial choices it closes",
           on_search},
    Option{"incumbent", "COST", RealValue{&RunOptions::incumbent, 0, no_limit},
           "With --bound-only: a known cost to measure spatial choices against, not the first mapping's",
           on_search},
    Option{"gap", "SHARE", RealValue{&RunOptions::gap, 0, no_limit},
           "Be content with a mapping proved to lie within this share of the optimum", on_search},
    Option{"time-limit", "SECONDS", RealValue{&RunOptions::run_time_limit, 0, no_limit}, "Time for the run",
           on_search},
    Option{"layer-time-limit", "SECONDS", RealValue{&RunOptions::layer_time_limit, 0, no_limit},
           "Time for each layer", on_search},
    Option{"work-limit", "N", IntegerValue{&RunOptions::work_limit, 0, std::numeric_limits<Int>::max()},
           "Nodes for each layer, the same on every machine; 0 means no limit", on_search},
    Option{"memory-limit", "BYTES", CustomValue{set_memory_limit, get_memory_limit, "bytes, KiB, MiB or GiB"},
           "Memory of the search", VerbSet::of(Verb::map, Verb::schedule)},
    Option{"executor", "KIND", choice<&RunOptions::executor>(executors), "Where parallel work runs",
           on_search},
};

MaybeError bad_value(const Option& option, std::string_view text, std::string_view expected,
                     std::string_view hint = {}) {
  return usage_error(fmt::format("--{} is '{}', expected {}{}", option.name, text, expected, hint));
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// One overload per kind of value: how it is parsed, shown and described.

MaybeError assign(const Option& option, const SwitchValue& value, RunOptions& options,
                  std::string_view text) {
  if (!text.empty() && text != "true" && text != "false") return bad_value(option, text, "true or false");
  options.*value.field = text != "false";
  return std::nullopt;
}
MaybeError assign(const Option& option, const IntegerValue& value, RunOptions& options,
                  std::string_view text) {
  const auto number = parse_number<Int>(text);
  if (!number || *number < value.low || *number > value.high) return bad_value(option, text, option.range());
  options.*value.field = *number;
  return std::nullopt;
}
MaybeError assign(const Option& option, const RealValue& value, RunOptions& options, std::string_view text) {
  const auto number = parse_number<double>(text);
  if (!number || std::isnan(*number) || *number < value.low || *number > value.high)
    return bad_value(option, text, option.range());
  options.*value.field = *number;
  return std::nullopt;
}
MaybeError assign(const Option&, const TextValue& value, RunOptions& options, std::string_view text) {
  options.*value.field = text.empty() ? value.when_bare : text;
  return std::nullopt;
}
MaybeError assign(const Option& option, const ChoiceValue& value, RunOptions& options,
                  std::string_view text) {
  for (std::size_t i = 0; i < value.words.size(); ++i) {
    if (value.words[i] == text) {
      value.set(options, i);
      return std::nullopt;
    }
  }
  return bad_value(option, text, option.range(), suggestion(text, {value.words.begin(), value.words.end()}));
}
MaybeError assign(const Option&, const CustomValue& value, RunOptions& options, std::string_view text) {
  return value.set(options, text);
}

std::string shown(const SwitchValue& value, const RunOptions& options) {
  return options.*value.field ? "true" : "false";
}
std::string shown(const IntegerValue& value, const RunOptions& options) {
  return fmt::format("{}", options.*value.field);
}
std::string shown(const RealValue& value, const RunOptions& options) {
  return std::isinf(options.*value.field) ? "none" : fmt::format("{}", options.*value.field);
}
std::string shown(const TextValue& value, const RunOptions& options) { return options.*value.field; }
std::string shown(const ChoiceValue& value, const RunOptions& options) {
  return std::string(value.words[value.get(options)]);
}
std::string shown(const CustomValue& value, const RunOptions& options) { return value.get(options); }

std::string range_of(const SwitchValue&) { return {}; }
std::string range_of(const IntegerValue& value) {
  if (value.high == std::numeric_limits<Int>::max()) return fmt::format("an integer from {}", value.low);
  return fmt::format("an integer from {} to {}", value.low, value.high);
}
std::string range_of(const RealValue& value) {
  if (std::isinf(value.high)) return fmt::format("a number from {}", value.low);
  return fmt::format("a number from {} to {}", value.low, value.high);
}
std::string range_of(const TextValue&) { return {}; }
std::string range_of(const ChoiceValue& value) {
  std::string text;
  for (std::size_t i = 0; i < value.words.size(); ++i) {
    if (i > 0) text += i + 1 == value.words.size() ? " or " : ", ";
    text += value.words[i];
  }
  return text;
}
std::string range_of(const CustomValue& value) { return std::string(value.range); }

}  // namespace

bool RunOptions::is_given(std::string_view name) const {
  return std::find(given.begin(), given.end(), name) != given.end();
}

bool Option::may_stand_alone() const {
  const auto* text = std::get_if<TextValue>(&value);
  return text != nullptr && !text->when_bare.empty();
}

std::string Option::range() const {
  return std::visit([](const auto& kind) { return range_of(kind); }, value);
}

std::string Option::get(const RunOptions& options) const {
  return std::visit([&](const auto& kind) { return shown(kind, options); }, value);
}

MaybeError Option::set(RunOptions& options, std::string_view text) const {
  if (text.empty() && !is_switch() && !may_stand_alone())
    return usage_error(
        fmt::format("--{} has no value, expected {}", name, range().empty() ? placeholder : range()));
  auto error = std::visit([&](const auto& kind) { return assign(*this, kind, options, text); }, value);
  if (!error && !options.is_given(name)) options.given.push_back(name);
  return error;
}

std::span<const Option> option_table() { return table; }

const Option* find_option(Verb verb, std::string_view name) {
  for (const auto& option : table)
    if (option.name == name && option.verbs.contains(verb)) return &option;
  return nullptr;
}

MaybeError set_option(RunOptions& options, Verb verb, std::string_view name, std::string_view text) {
  if (const auto* option = find_option(verb, name)) return option->set(options, text);
  std::vector<std::string_view> names;
  for (const auto& option : table)
    if (option.verbs.contains(verb)) names.push_back(option.name);
  return usage_error(
      fmt::format("'{}' is not an option of {}{}", name, to_string(verb), suggestion(name, names)));
}

std::string_view to_string(Verb verb) { return verb_names[static_cast<std::size_t>(verb)]; }
std::string_view to_string(cim::LatencyModel model) {
  return latency_models[static_cast<std::size_t>(model)];
}

cim::LatencyModel latency_model_named(std::string_view word) {
  return word == to_string(cim::LatencyModel::miredo) ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
}

std::string options_page() {
  std::string page =
      "# Options\n\n"
      "Generated from the option table (`io/options.cpp`) by `make expected`; a test compares them.\n"
      "`nestor VERB --help` lists the options of one verb.\n\n"
      "| option | values | default | verbs | what it does |\n"
      "|---|---|---|---|---|\n";
  const RunOptions defaults;
  for (const auto& option : table) {
    std::string verbs;
    for (std::size_t i = 0; i < verb_names.size(); ++i)
      if (option.verbs.contains(static_cast<Verb>(i)))
        verbs += fmt::format("{}{}", verbs.empty() ? "" : ", ", verb_names[i]);
    page += fmt::format("| `--{}{}{}` | {} | {} | {} | {} |\n", option.name,
                        option.placeholder.empty() ? "" : " ", option.placeholder, option.range(),
                        option.get(defaults), verbs, option.help);
  }
  return page;
}

}  // namespace nestor::io
