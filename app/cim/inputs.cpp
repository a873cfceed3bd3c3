#include "app/cim/inputs.h"

#include <fmt/format.h>

#include "app/inputs.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/neighbours/mapping_forms.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/canonical.h"
#include "model/workload/groups.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app::cim_space {
namespace {

io::Result<io::RunResult> from_result_file(const io::RunOptions& options, io::Verb verb) {
  auto result = io::read_result(options.inputs.front());
  if (!result) return result;
  if (result->space != "cim")
    return io::input_error({options.inputs.front()},
                           fmt::format("space is '{}', expected cim", result->space));
  result->inputs = {report::describe_file("result", options.inputs.front())};
  result->optimum.reset();  // a choice of points, not of the selected mappings
  const auto name_of = [](const io::LayerResult& record) -> const std::string& { return record.layer.name; };
  if (auto error = keep_named(result->layers, result->network, options.layer, name_of)) return *error;
  for (auto& record : result->layers)
    if (auto error = keep_chosen(record, options, verb)) return *error;
  return result;
}

io::Result<io::RunResult> from_files(const io::RunOptions& options) {
  auto architecture = io::read_architecture(options.arch, options.settings);
  if (!architecture) return architecture.error();
  remark_untranslated(options.arch, architecture->untranslated);
  auto network = read_network(options.layers, options);
  if (!network) return network.error();
  remark_untranslated(options.layers, network->untranslated);
  groups_to_dimension(network->layers, architecture->machine);
  // A mapping in another tool's form applies only to the selected layers.
  if (options.mapping != "-" &&
      io::neighbours::is_foreign_mapping(io::read_head(options.mapping, io::head_bytes)))
    if (auto error = keep_layers(*network, options.layer)) return *error;
  auto mappings = io::read_mappings(options.mapping, *architecture, network->layers);
  if (!mappings) return mappings.error();

  io::RunResult run;
  run.network = network->name;
  run.unmapped = std::move(network->unmapped);
  for (std::size_t i = 0; i < network->layers.size(); ++i) {
    auto& record = run.layers.emplace_back();
    record.layer = std::move(network->layers[i]);
    record.best.mapping = (*mappings)[i];
  }
  run.inputs = describe_mapped_inputs(options);
  run.architecture = std::move(*architecture);
  const auto name_of = [](const io::LayerResult& record) -> const std::string& { return record.layer.name; };
  if (auto error = keep_named(run.layers, run.network, options.layer, name_of)) return *error;
  return run;
}

// Brings a mapping into canonical form. An illegal mapping is an error.
io::MaybeError normalise_and_check(const NamedArchitecture& architecture, const std::string& name,
                                   const LayerShape& shape, Mapping& mapping, const std::string& file) {
  const auto& machine = architecture.machine;
  const auto refusal = cim::admit(shape, machine);
  if (refusal != Refusal::none)
    return io::input_error({file}, fmt::format("layer '{}': {}", name, io::refusal_text(refusal)));
  auto violation = find_misplacement(machine, mapping);
  if (!violation) {
    normalise(mapping, shape, machine);
    violation = find_violation(shape, machine, mapping);
  }
  if (!violation) return std::nullopt;
  return io::input_error({file}, fmt::format("mapping of layer '{}': {}", name,
                                             io::violation_text(*violation, mapping, architecture)));
}

// Brings all mappings of a run into canonical form. Layers without a mapping are skipped.
io::MaybeError normalise_and_check(io::RunResult& run, const io::RunOptions& options) {
  const auto& file = options.inputs.empty() ? options.mapping : options.inputs.front();
  for (auto& record : run.layers) {
    const auto check = [&](io::MappedPoint& point) -> io::MaybeError {
      if (!point.mapping) return std::nullopt;
      return normalise_and_check(run.architecture, record.layer.name, point.nest(record.layer.shape),
                                 *point.mapping, file);
    };
    if (auto error = check(record.best)) return error;
    for (auto& point : record.front)
      if (auto error = check(point)) return error;
  }
  return std::nullopt;
}

}  // namespace

io::Result<io::RunResult> read_mapped_layers(const io::RunOptions& options, io::Verb verb) {
  if (auto error = check_mapped_inputs(options, verb, "cim")) return *error;
  auto run = options.inputs.empty() ? from_files(options) : from_result_file(options, verb);
  if (!run) return run;
  if (options.is_given("latency-model") || options.inputs.empty())
    run->objective.latency_model = io::to_string(options.latency_model);
  run->version = NESTOR_VERSION;
  run->verb = io::to_string(verb);
  run->options = report::given_options(options, verb);
  return run;
}

io::Result<io::RunResult> read_legal_layers(const io::RunOptions& options, io::Verb verb) {
  auto run = read_mapped_layers(options, verb);
  if (!run) return run;
  if (auto error = normalise_and_check(*run, options)) return *error;
  return run;
}

}  // namespace nestor::app::cim_space
