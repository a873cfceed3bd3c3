// nestor show: an architecture, a network or a mapping as text.
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "app/verbs.h"
#include "io/architecture_file.h"
#include "io/architecture_text.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "io/mapping_file.h"
#include "io/mapping_text.h"
#include "io/network_text.h"

namespace nestor::app {
namespace {

enum class Kind { architecture, network, result };

bool ships(io::DataKind kind, const std::string& name) {
  const auto names = io::shipped_names(kind);
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A name that ships, or a file that says what it is by its keys.
io::Result<Kind> kind_of(const std::string& input) {
  if (input.ends_with(".onnx")) return Kind::network;
  const bool exists = std::filesystem::exists(input);
  if (!exists && ships(io::DataKind::architecture, input)) return Kind::architecture;
  if (!exists && ships(io::DataKind::network, input)) return Kind::network;
  if (!exists && input.find_first_of("./") == std::string::npos) {
    auto names = io::shipped_names(io::DataKind::architecture);
    const auto networks = io::shipped_names(io::DataKind::network);
    names.insert(names.end(), networks.begin(), networks.end());
    return io::input_error(
        {}, fmt::format("no architecture or network '{}'{}, expected a file or one of: {}", input,
                        io::suggestion(input, {names.begin(), names.end()}), fmt::join(names, ", ")));
  }
  const auto document = io::Document::read(input);
  if (!document) return document.error();
  const auto root = document->root();
  if (io::is_result(*document)) return Kind::result;
  if (root.is_map() && root.find("hierarchy")) return Kind::architecture;
  if (root.is_map() && root.find("layers")) return Kind::network;
  return io::input_error(
      root.where(),
      "found neither 'hierarchy' (an architecture) nor 'layers' (a network); a mapping is shown "
      "with --arch, --layers and --mapping");
}

io::Result<io::Json> show_architecture(const std::string& input, bool prints) {
  const auto architecture = io::read_architecture(input);
  if (!architecture) return architecture.error();
  if (prints) print_text(io::architecture_text(*architecture));
  return io::architecture_to_json(*architecture);
}

io::Result<io::Json> show_network(const std::string& input, const io::RunOptions& options, bool prints) {
  const auto network = read_network(input, options);
  if (!network) return network.error();
  if (prints) print_text(io::network_text(*network));
  return io::network_to_json(*network);
}

io::Result<io::Json> show_mappings(const io::RunOptions& options, bool prints) {
  auto run = read_mapped_layers(options, io::Verb::show);
  if (!run) return run.error();
  if (const auto error = normalise_and_check(*run, options)) return *error;
  bool first = true;
  for (const auto& record : run->layers) {
    if (!record.best.mapping || !prints) continue;
    const auto evaluation =
        cim::evaluate(record.layer.shape, run->architecture.machine, *record.best.mapping);
    print("{}{} on {}: {}\n\n{}", first ? "" : "\n", record.layer.name, run->architecture.name,
          io::shape_text(record.layer.shape),
          io::mapping_text(*record.best.mapping, evaluation, run->architecture));
    first = false;
  }
  return io::result_to_json(*run);
}

io::Result<io::Json> show_input(const std::string& input, const io::RunOptions& options, bool prints) {
  const auto kind = kind_of(input);
  if (!kind) return kind.error();
  switch (*kind) {
    case Kind::architecture:
      return show_architecture(input, prints);
    case Kind::network:
      return show_network(input, options, prints);
    case Kind::result:
      break;
  }
  io::RunOptions one = options;
  one.inputs = {input};
  one.arch.clear();
  one.layers.clear();
  one.mapping.clear();
  return show_mappings(one, prints);
}

}  // namespace

io::Result<Outcome> show(const io::RunOptions& options) {
  const bool prints = prints_tables(options);
  auto shown = io::Json::array();
  const auto add = [&](io::Result<io::Json> item) -> io::MaybeError {
    if (!item) return item.error();
    shown.push_back(std::move(*item));
    return std::nullopt;
  };

  io::MaybeError error;
  for (std::size_t i = 0; i < options.inputs.size() && !error; ++i) {
    if (i > 0 && prints) print_text("\n");
    error = add(show_input(options.inputs[i], options, prints));
  }
  if (error) return *error;
  if (!options.mapping.empty()) {
    auto rest = options;
    rest.inputs.clear();
    error = add(show_mappings(rest, prints));
  } else {
    if (!options.arch.empty()) error = add(show_architecture(options.arch, prints));
    if (!error && !options.layers.empty()) error = add(show_network(options.layers, options, prints));
  }
  if (error) return *error;
  if (shown.empty())
    return io::usage_error("nothing to show: expected an architecture, a network or --mapping");

  // One thing is written in its own format, so that it can be read again; several as a list.
  if (auto failure = write_json_output(options, shown.size() == 1 ? shown.front() : shown)) return *failure;
  return Outcome::solved;
}

}  // namespace nestor::app
