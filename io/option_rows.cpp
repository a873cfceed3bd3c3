// Rows of the option table that several spaces share.
#include "io/option_rows.h"

#include <fmt/format.h>

#include "base/checked.h"
#include "base/parse_number.h"
#include "base/split.h"
#include "io/layer_file.h"

namespace nestor::io {
namespace {

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

// Limits of --memory-limit in bytes, and its units.
constexpr Int least_memory = Int{1} << 20;
constexpr Int most_memory = Int{1} << 50;
constexpr std::array<std::pair<std::string_view, Int>, 4> byte_units = {
    {{"KiB", Int{1} << 10}, {"MiB", Int{1} << 20}, {"GiB", Int{1} << 30}, {"", 1}}};

MaybeError set_memory_limit(RunOptions& options, std::string_view text) {
  for (const auto& [unit, factor] : byte_units) {
    if (!text.ends_with(unit)) continue;
    auto digits = text.substr(0, text.size() - unit.size());
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    const auto number = parse_number<Int>(digits);
    if (!number) break;
    const auto bytes = checked_multiply(*number, factor);
    if (!bytes || *bytes < least_memory || *bytes > most_memory) break;
    options.memory_limit = *bytes;
    return std::nullopt;
  }
  return usage_error(
      fmt::format("--memory-limit is '{}', expected bytes, KiB, MiB or GiB from 1MiB, such as 64MiB", text));
}
std::string get_memory_limit(const RunOptions& options) {
  if (options.memory_limit == 0) return {};
  for (const auto& [unit, factor] : {byte_units[2], byte_units[1], byte_units[0]})
    if (options.memory_limit % factor == 0) return fmt::format("{}{}", options.memory_limit / factor, unit);
  return fmt::format("{}", options.memory_limit);
}

// Parses "NAME=VALUE,...". A name may contain any character except the comma; its value follows the last '='.
MaybeError set_dims(RunOptions& options, std::string_view text) {
  std::vector<std::pair<std::string, Int>> dims;
  for (const std::string_view binding : split_list(text, ',')) {
    const auto equals = binding.rfind('=');
    const auto number = equals == std::string_view::npos ? "" : binding.substr(equals + 1);
    const auto value = parse_number<Int>(number);
    if (!value || equals == 0 || *value < 1) {
      return usage_error(
          fmt::format("--dim is '{}', expected NAME=VALUE with a value of at least 1", binding));
    }
    dims.emplace_back(binding.substr(0, equals), *value);
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

constexpr VerbSet on_layers = VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::map,
                                          Verb::export_model, Verb::compare);
constexpr VerbSet on_networks = VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify,
                                            Verb::map, Verb::compile, Verb::export_model, Verb::compare);
constexpr VerbSet on_machines =
    VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::map, Verb::estimate,
                Verb::compile, Verb::export_model, Verb::compare);
constexpr VerbSet with_mapping =
    VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::estimate);
constexpr VerbSet on_mappings = VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify);

constexpr std::array shared_rows = {
    Option{"arch", "ARCH", TextValue{&RunOptions::arch}, "Machine: a built-in name, or a YAML or JSON file",
           on_machines, 'a'}
        .in(OptionGroup::input)
        .changeable(),
    Option{"set", "PATH=VALUE",
           ListValue{&RunOptions::settings, "a path and a value, such as memory.gbuf.capacity=512KiB"},
           "Override one value of the machine's file; may be given more than once",
           VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::map, Verb::estimate, Verb::compile,
                       Verb::schedule, Verb::export_model, Verb::compare)}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::schedule)),
    Option{"layers", "FILE", TextValue{&RunOptions::layers},
           "Network: a built-in name, a layer file or an ONNX model", on_mappings, '\0', "cim, pim"}
        .in(OptionGroup::input),
    Option{"mapping", "FILE", TextValue{&RunOptions::mapping},
           "One mapping, or a list of mappings in layer order", with_mapping, '\0', "cim, pim, cnm"}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::estimate)),
    Option{"bits", "I,W,O,PSUM", CustomValue{set_bits, get_bits, "four widths, such as 8,8,8,32"},
           "Bit widths of every layer's input, weight, output and partial sum", on_layers, '\0',
           "cim, pim, cnm"}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::map)),
    Option{"batch", "N", IntegerValue{&RunOptions::batch, 1, Int{1} << 31},
           "Inputs processed at once; sets a symbolic batch dimension", on_layers, '\0', "cim, pim, cnm"}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::map)),
    Option{"dim", "NAME=VALUE,...",
           CustomValue{set_dims, get_dims, "symbols and values, such as height=224,width=224"},
           "Values of an ONNX model's symbolic dimensions other than the batch", on_networks}
        .in(OptionGroup::input)
        .planned(VerbSet::of(Verb::map, Verb::compile)),
    Option{"latency-model", "MODEL", choice<&RunOptions::latency_model, latency_models>(),
           "Latency model for totals and EDP",
           VerbSet::of(Verb::evaluate, Verb::map, Verb::export_model, Verb::compare), '\0', "cim"}
        .planned(VerbSet::of(Verb::map)),
    Option{"layer", "NAME", ListValue{&RunOptions::layer, ""},
           "Restrict the run to the layer with this name; may be given more than once", on_layers, '\0',
           "cim, pim, cnm"}
        .in(OptionGroup::input),
    Option{"point", "N", IntegerValue{&RunOptions::point, 1, 1'000'000},
           "Select this point of the latency-energy fronts in a result; `show` prints their numbers",
           VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate), '\0', "cim, pim"}
        .in(OptionGroup::input),
    Option{"rank", "N", IntegerValue{&RunOptions::rank, 1, 1'000'000},
           "Select the mappings of this rank in a result of `map --top`; 1 is the best",
           VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate), '\0', "cim, pim, cnm"}
        .in(OptionGroup::input),
    Option{"trace", "FILE", OutputValue{&RunOptions::trace},
           "Write a Chrome trace of one layer or chip program (for ui.perfetto.dev); for a PIM layer, its "
           "DRAM accesses as CSV",
           VerbSet::of(Verb::simulate, Verb::estimate), '\0', "cim, pim, cnm, chip"},
    Option{"plain", "", SwitchValue{&RunOptions::plain},
           "Simulate every step instead of multiplying repeated sequences", VerbSet::of(Verb::simulate), '\0',
           "cim"}
        .in(OptionGroup::expert),
    Option{"json", "FILE", OutputValue{&RunOptions::json, "-"},
           "Write the result as JSON; - or no FILE means standard output, instead of the tables. A built-in "
           "name or a .yaml file after a bare --json is an input; --json=FILE accepts any name",
           VerbSet::of(Verb::show, Verb::evaluate, Verb::simulate, Verb::verify, Verb::schedule, Verb::map,
                       Verb::lp, Verb::estimate, Verb::compile, Verb::import_solution, Verb::compare,
                       Verb::check)},
    Option{"quiet", "", SwitchValue{&RunOptions::quiet}, "Print no tables and no progress",
           VerbSet::of(Verb::map, Verb::compile, Verb::schedule, Verb::estimate, Verb::evaluate,
                       Verb::simulate, Verb::verify, Verb::check, Verb::sweep, Verb::work, Verb::compare,
                       Verb::import_solution, Verb::export_model, Verb::lp),
           'q'}
        .in(OptionGroup::output)
        .unrecorded(),
    Option{"no-times", "", SwitchValue{&RunOptions::no_times},
           "Write 0 for every measured time, so that equal runs produce identical files",
           VerbSet::of(Verb::map, Verb::schedule, Verb::compile, Verb::sweep)}
        .in(OptionGroup::expert)
        .unrecorded(),
    Option{"output", "FILE", OutputValue{&RunOptions::output}, "File for the schedule, table or HTML page",
           VerbSet::of(Verb::schedule, Verb::estimate, Verb::report), 'o'},
    Option{"report", "FILE.html", OutputValue{&RunOptions::report},
           "Write the result as one HTML page with tables and charts; `nestor report` can write it later",
           VerbSet::of(Verb::map, Verb::compile, Verb::schedule, Verb::estimate, Verb::evaluate,
                       Verb::simulate, Verb::sweep, Verb::compare)},
    Option{"log", "FILE", OutputValue{&RunOptions::log, "-"},
           "Write a search log, one line per event, to attach to a bug report",
           VerbSet::of(Verb::map, Verb::compile, Verb::schedule)},
    Option{"verbose", "", SwitchValue{&RunOptions::verbose}, "Write the search log to standard error",
           VerbSet::of(Verb::map, Verb::compile, Verb::schedule), 'v'}
        .in(OptionGroup::output)
        .unrecorded(),
    Option{"junit", "FILE.xml", OutputValue{&RunOptions::junit},
           "Write the comparison as a JUnit test report for continuous integration",
           VerbSet::of(Verb::check)},
    Option{"annotations", "", SwitchValue{&RunOptions::annotations},
           "Print a GitHub workflow command for each part that has changed", VerbSet::of(Verb::check)}
        .in(OptionGroup::output),
    Option{"list", "", SwitchValue{&RunOptions::list}, "List the built-in architectures and networks",
           VerbSet::of(Verb::show)}
        .in(OptionGroup::input),
    Option{"seed", "N", IntegerValue{&RunOptions::seed, 0, std::numeric_limits<Int>::max()},
           "Seed of all random choices",
           VerbSet::of(Verb::schedule, Verb::map, Verb::export_model, Verb::compare)}
        .in(OptionGroup::expert)
        .planned(VerbSet::of(Verb::map, Verb::schedule)),
    Option{
        "threads", "N", IntegerValue{&RunOptions::threads, 0, 1024},
        "Threads; 0 means one per hardware thread",
        VerbSet::of(Verb::schedule, Verb::map, Verb::compile, Verb::export_model, Verb::compare, Verb::check),
        'j'}
        .in(OptionGroup::limits)
        .changeable(),
    Option{"memory-limit", "BYTES", CustomValue{set_memory_limit, get_memory_limit, "bytes, KiB, MiB or GiB"},
           "Memory limit of the process; by default, half of what is available (RAM, cgroup, ulimit)",
           VerbSet::of(Verb::map, Verb::schedule, Verb::export_model, Verb::compare)}
        .in(OptionGroup::limits)
        .changeable(),
};

}  // namespace

std::span<const Option> shared_option_rows() { return shared_rows; }

}  // namespace nestor::io
