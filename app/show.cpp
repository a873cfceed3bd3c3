// nestor show: prints an architecture, a network, a mapping or another file of a space as text.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "io/neighbours/neighbours.h"
#include "report/network_text.h"
#include "report/shipped.h"

namespace nestor::app {
namespace {

bool ships(io::DataKind kind, const std::string& name) {
  const auto names = io::shipped_names(kind);
  return std::find(names.begin(), names.end(), name) != names.end();
}

io::Error not_shown(const Space& space, std::string_view what) {
  return io::usage_error(fmt::format("show does not apply to {} of kind '{}'", what, space.kind));
}

io::Result<Shown> show_network(const std::string& input, const io::RunOptions& options) {
  auto network = read_network(input, options);
  if (!network) return network.error();
  if (auto error = keep_layers(*network, options.layer)) return *error;
  return Shown{
      report::network_text(*network), io::network_to_json(*network), {.layers = true, .network_words = true}};
}

io::Result<Shown> shown_of(const Space& space, io::Result<Shown> shown) {
  if (shown) shown->kind = space.kind;
  return shown;
}

io::Result<Shown> show_architecture(Spaces spaces, const std::string& input, const io::RunOptions& options) {
  const auto path = io::find_data(io::DataKind::architecture, input);
  if (!path) return path.error();
  const auto said = space_of_file(spaces, path->string());
  if (!said) return said.error();
  const Space& space = *said != nullptr ? **said : spaces.front();
  if (space.show_architecture == nullptr) return not_shown(space, "architectures");
  return shown_of(space, space.show_architecture(input, options));
}

// Shows a result, or the mappings of --mapping. The file `named` determines the space.
io::Result<Shown> show_solutions(Spaces spaces, const std::string& named, const io::RunOptions& options) {
  const auto said = space_of_file(spaces, named);
  if (!said) return said.error();
  const Space& space = *said != nullptr ? **said : spaces.front();
  if (space.show_solutions == nullptr) return not_shown(space, "results");
  return shown_of(space, space.show_solutions(options));
}

io::Result<Shown> show_result_file(Spaces spaces, const std::string& input, const io::RunOptions& options) {
  io::RunOptions one = options;
  one.inputs = {input};
  one.arch.clear();
  one.layers.clear();
  one.mapping.clear();
  return show_solutions(spaces, input, one);
}

io::Error unknown_input(const std::string& input) {
  auto names = io::shipped_names(io::DataKind::architecture);
  const auto networks = io::shipped_names(io::DataKind::network);
  names.insert(names.end(), networks.begin(), networks.end());
  return io::unknown_name("architecture or network", input, names);
}

// Shows a shipped item by its name, or a file whose format or keys determine its kind.
io::Result<Shown> show_input(Spaces spaces, const std::string& input, const io::RunOptions& options) {
  if (input.ends_with(".onnx")) return show_network(input, options);
  std::error_code code;
  if (input != "-" && !std::filesystem::exists(input, code)) {
    if (ships(io::DataKind::architecture, input)) return show_architecture(spaces, input, options);
    if (ships(io::DataKind::network, input)) return show_network(input, options);
    for (const Space& space : spaces)
      if (space.networks && ships(space.networks->kind, input)) {
        const auto path = io::find_data(space.networks->kind, input);
        return path ? show_input(spaces, path->string(), options) : path.error();
      }
    for (const Space& space : spaces)  // built-in kernels have a name and no file
      if (space.owns != nullptr && space.show_file != nullptr && space.owns(input, {}))
        return shown_of(space, space.show_file(input, options));
    if (input.find_first_of("./") == std::string::npos) return unknown_input(input);
  }
  const auto head = io::read_head(input, io::head_bytes);
  for (const Space& space : spaces)
    if (space.owns != nullptr && space.owns(input, head))
      return space.show_file != nullptr ? shown_of(space, space.show_file(input, options))
                                        : not_shown(space, "such files");
  // A file whose head marks it as a result is read as a result, which may be larger than other files.
  if (io::is_result(io::Document::head(head, input))) return show_result_file(spaces, input, options);
  const auto document = io::Document::read(input, {.foreign = true});
  if (!document) return document.error();
  const auto root = document->root();
  if (io::is_result(*document)) return show_result_file(spaces, input, options);
  if (const auto kind = root.find("kind"))
    for (const Space& space : spaces)
      if (space.show_file != nullptr && kind->text().starts_with(std::string(space.kind) + "-"))
        return shown_of(space, space.show_file(input, options));
  if (root.find("hierarchy") || root.find("kind")) return show_architecture(spaces, input, options);
  if (root.find("layers")) return show_network(input, options);
  if (io::neighbours::is_machine(root)) return show_architecture(spaces, input, options);
  if (io::neighbours::is_network(root)) return show_network(input, options);
  return io::input_error(root.where(),
                         "found neither 'hierarchy' (an architecture) nor 'layers' (a network); to show a "
                         "mapping, give --arch, --layers and --mapping");
}

// Lists the names of all shipped items. Each machine is listed with its kind, which determines the verbs that
// accept it.
io::Result<ExitStatus> list_shipped(const io::RunOptions& options, Spaces spaces) {
  std::vector<report::ShippedThing> all;
  for (const auto& name : io::shipped_names(io::DataKind::architecture)) {
    const auto path = io::find_data(io::DataKind::architecture, name);
    if (!path) return path.error();
    const auto said = space_of_file(spaces, path->string());
    if (!said) return said.error();
    all.push_back({name, fmt::format("architecture, {}", (*said != nullptr ? **said : spaces.front()).kind)});
  }
  for (const auto& name : io::shipped_names(io::DataKind::network)) all.push_back({name, "network"});
  for (const Space& space : spaces)
    if (space.networks)
      for (const auto& name : io::shipped_names(space.networks->kind))
        all.push_back({name, std::string(space.networks->title)});
  if (prints_tables(options)) print_text(report::shipped_text(all));
  if (auto error = write_json_output(options, report::shipped_json(all))) return *error;
  return ExitStatus::solved;
}

// Refuses options that do not apply to anything shown.
io::MaybeError refuse_void_options(const io::RunOptions& options, const std::vector<Shown>& all) {
  const auto none = [&](bool ShownWith::*with) {
    return std::none_of(all.begin(), all.end(), [&](const Shown& shown) { return shown.with.*with; });
  };
  for (const auto* const name : {"bits", "batch", "dim"})
    if (options.is_given(name) && options.layers.empty() && none(&ShownWith::network_words))
      return io::usage_error(fmt::format("--{} requires a network, but none is read", name));
  if (options.show_as && none(&ShownWith::has_forms))
    return io::usage_error("--as requires a mapping or a kernel, but none is shown");
  if (options.is_given("output") && none(&ShownWith::takes_output))
    return io::usage_error("--output requires a program or a compiled network, but none is shown");
  if (options.is_given("layer") && none(&ShownWith::layers))
    return io::usage_error("--layer requires a network or a result, but none is shown");
  if (options.is_given("set") &&
      std::all_of(all.begin(), all.end(), [](const Shown& shown) { return shown.kind.empty(); }))
    return io::usage_error("--set requires a machine, but none is shown");
  // The options in `said` were checked above. --layers brings its own network.
  for (const auto name : options.given) {
    constexpr std::array<std::string_view, 6> said = {"bits", "batch", "dim", "output", "layer", "layers"};
    const auto* const option = io::find_option(io::Verb::show, name);
    if (option == nullptr || std::find(said.begin(), said.end(), name) != said.end()) continue;
    if (std::none_of(all.begin(), all.end(), [&](const Shown& shown) { return option->is_for(shown.kind); }))
      return io::usage_error(
          fmt::format("--{} requires an input of kind {}, but none is shown", name, option->kinds));
  }
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> show(const io::RunOptions& options, Spaces spaces) {
  if (options.list) return list_shipped(options, spaces);
  std::vector<Shown> all;
  const auto add = [&](io::Result<Shown> item) -> io::MaybeError {
    if (!item) return item.error();
    all.push_back(std::move(*item));
    return std::nullopt;
  };

  for (const auto& input : options.inputs)
    if (auto error = add(show_input(spaces, input, options))) return *error;
  if (options.show_as && !options.inputs.empty()) {
    // --arch and --mapping determine how the inputs are lowered.
  } else if (!options.mapping.empty()) {
    auto rest = options;
    rest.inputs.clear();
    const auto path = io::find_data(io::DataKind::architecture, options.arch);
    if (auto error = add(show_solutions(spaces, path ? path->string() : std::string(), rest))) return *error;
  } else {
    if (!options.arch.empty())
      if (auto error = add(show_architecture(spaces, options.arch, options))) return *error;
    if (!options.layers.empty())
      if (auto error = add(show_network(options.layers, options))) return *error;
  }
  if (all.empty())
    return io::usage_error("nothing to show: expected an architecture, a network or --mapping");
  if (auto error = refuse_void_options(options, all)) return *error;

  auto json = io::Json::array();
  for (auto& shown : all) {
    if (prints_tables(options)) print("{}{}", json.empty() || shown.text.empty() ? "" : "\n", shown.text);
    json.push_back(std::move(shown.json));
  }
  // A single item is written in its own format, so that it can be read again; several are written as a list.
  if (auto failure = write_json_output(options, json.size() == 1 ? json.front() : json)) return *failure;
  return ExitStatus::solved;
}

}  // namespace nestor::app
