#include "app/inputs.h"

#include <fmt/format.h>

#include "app/console.h"
#include "io/find_data.h"
#include "io/layer_file.h"
#include "io/neighbours/neighbours.h"
#include "report/run_record.h"

namespace nestor::app {
io::OnnxOptions onnx_options(const io::RunOptions& options) {
  io::OnnxOptions onnx;
  onnx.bits = options.bits;
  if (options.is_given("batch")) onnx.batch = options.batch;
  for (const auto& [name, value] : options.dims) onnx.dims.push_back({name, value});
  return onnx;
}

io::MaybeError check_mapped_inputs(const io::RunOptions& options, io::Verb verb, std::string_view kind) {
  if (options.inputs.empty()) {
    for (const auto* const name : {"arch", "layers", "mapping"})
      if (io::find_option(verb, name)->get(options).empty())
        return io::usage_error(
            fmt::format("missing --{}: expected a result file, or --arch, --layers and --mapping", name));
    for (const auto* const name : {"point", "rank"})
      if (options.is_given(name))
        return io::usage_error(fmt::format("--{} requires a result file, whose mappings it selects", name));
    return std::nullopt;
  }
  if (auto error = io::check_result_exclusions(options, verb, kind)) return error;
  if (options.inputs.size() > 1)
    return io::usage_error(fmt::format("unexpected input '{}', expected one result file", options.inputs[1]));
  return std::nullopt;
}

std::vector<io::ResultInput> describe_mapped_inputs(const io::RunOptions& options) {
  return {report::describe_input("architecture", options.arch, io::DataKind::architecture),
          report::describe_input("layers", options.layers, io::DataKind::network),
          report::describe_file("mapping", options.mapping)};
}

io::MaybeError keep_layers(Network& network, std::span<const std::string> names) {
  return keep_named(network.layers, network.name, names,
                    [](const Layer& layer) -> const std::string& { return layer.name; });
}

void remark_untranslated(const std::string& file, std::span<const std::string> untranslated) {
  if (untranslated.empty()) return;
  print_remark(fmt::format("{}: {} part{} of the file {} no counterpart here; `nestor show {}` lists them",
                           file, untranslated.size(), untranslated.size() == 1 ? "" : "s",
                           untranslated.size() == 1 ? "has" : "have", file));
}

io::Result<Network> read_network(const std::string& path_or_name, const io::RunOptions& options) {
  if (path_or_name.ends_with(".onnx")) return io::import_onnx(path_or_name, onnx_options(options));
  return io::neighbours::read_network(path_or_name, {.bits = options.bits, .batch = options.batch});
}

io::Result<Network> read_network_of(const std::string& name, const io::OptionTexts& given) {
  io::RunOptions options;
  for (const auto& [option, text] : given)
    if (option == "bits" || option == "batch" || option == "dim")
      if (auto error = io::set_option(options, io::Verb::map, option, text)) return *error;
  return read_network(name, options);
}

}  // namespace nestor::app
