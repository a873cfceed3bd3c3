// Layers with mappings in a loop-nest space, from a result file or from --arch, --layers and --mapping.
// `Space` is a traits type (app/cim/nests.h, app/pim/nests.h).
#pragma once

#include <fmt/format.h>

#include "app/inputs.h"
#include "io/neighbours/mapping_forms.h"
#include "model/workload/groups.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app {

template <typename Record>
const std::string& name_of_layer(const Record& record) {
  return record.layer.name;
}

template <typename Space>
io::Result<typename Space::Run> select_from_result(const io::RunOptions& options, io::Verb verb) {
  const auto& file = options.inputs.front();
  const auto document = io::Document::read(file, io::result_limits);
  if (!document) return document.error();
  auto run = Space::read_run(document->root());
  if (!run) return run;
  if (run->space != Space::kind)
    return io::input_error({file}, fmt::format("space is '{}', expected {}", run->space, Space::kind));
  run->inputs = {report::describe_file("result", file)};
  run->optimum.reset();  // a choice of points, not of the selected mappings
  if (auto error =
          keep_named(run->layers, run->network, options.layer, name_of_layer<typename Space::Run::Record>))
    return *error;
  for (auto& record : run->layers)
    if (auto error = keep_chosen(record, options, verb)) return *error;
  return run;
}

template <typename Space>
io::Result<typename Space::Run> read_mapping_files(const io::RunOptions& options) {
  auto machine = Space::read_machine(options.arch, options.settings);
  if (!machine) return machine.error();
  remark_untranslated(options.arch, machine->untranslated);
  auto network = read_network(options.layers, options);
  if (!network) return network.error();
  remark_untranslated(options.layers, network->untranslated);
  groups_to_dimension(network->layers, machine->machine);
  // A mapping in another tool's form applies only to the selected layers.
  if (options.mapping != "-" &&
      io::neighbours::is_foreign_mapping(io::read_head(options.mapping, io::head_bytes)))
    if (auto error = keep_layers(*network, options.layer)) return *error;
  auto mappings = Space::read_mappings(options.mapping, *machine, network->layers);
  if (!mappings) return mappings.error();

  typename Space::Run run;
  run.network = network->name;
  run.unmapped = std::move(network->unmapped);
  for (std::size_t i = 0; i < network->layers.size(); ++i) {
    auto& record = run.layers.emplace_back();
    record.layer = std::move(network->layers[i]);
    record.best.mapping = (*mappings)[i];
  }
  run.inputs = describe_mapped_inputs(options);
  run.machine = std::move(*machine);
  if (auto error =
          keep_named(run.layers, run.network, options.layer, name_of_layer<typename Space::Run::Record>))
    return *error;
  return run;
}

/// Reads the layers for a report by `verb`: options and inputs are recorded, and layers without a mapping
/// keep the outcome of their search. The legality of the mappings is not checked.
template <typename Space>
io::Result<typename Space::Run> read_mapped_layers(const io::RunOptions& options, io::Verb verb) {
  if (auto error = check_mapped_inputs(options, verb, Space::kind)) return *error;
  auto run =
      options.inputs.empty() ? read_mapping_files<Space>(options) : select_from_result<Space>(options, verb);
  if (!run) return run;
  if (options.is_given("latency-model") || options.inputs.empty()) Space::set_latency_model(*run, options);
  run->version = NESTOR_VERSION;
  run->verb = io::to_string(verb);
  run->options = report::given_options(options, verb);
  return run;
}

/// Brings a mapping of a layer into canonical form. An illegal mapping is an error in `file`.
template <typename Space, typename Point>
io::MaybeError normalise_and_check(const typename Space::Machine& named, const Layer& layer, Point& point,
                                   const std::string& file) {
  if (!point.mapping) return std::nullopt;
  const auto& machine = named.machine;
  const LayerShape shape = point.nest(layer.shape);
  const auto refusal = Space::admit(shape, machine);
  if (refusal != Refusal::none)
    return io::input_error({file}, fmt::format("layer '{}': {}", layer.name, io::refusal_text(refusal)));
  auto violation = find_misplacement(machine, *point.mapping);
  if (!violation) {
    normalise(*point.mapping, shape, machine);
    violation = find_violation(shape, machine, *point.mapping);
  }
  if (!violation) return std::nullopt;
  return io::input_error({file}, fmt::format("mapping of layer '{}': {}", layer.name,
                                             Space::violation_text(*violation, *point.mapping, named)));
}

/// Reads the layers and brings their mappings into canonical form. The first illegal mapping is an error.
/// Layers without a mapping are skipped.
template <typename Space>
io::Result<typename Space::Run> read_legal_layers(const io::RunOptions& options, io::Verb verb) {
  auto run = read_mapped_layers<Space>(options, verb);
  if (!run) return run;
  const auto& file = options.inputs.empty() ? options.mapping : options.inputs.front();
  for (auto& record : run->layers) {
    if (auto error = normalise_and_check<Space>(run->machine, record.layer, record.best, file)) return *error;
    for (auto& point : record.front)
      if (auto error = normalise_and_check<Space>(run->machine, record.layer, point, file)) return *error;
  }
  return run;
}

}  // namespace nestor::app
