// Layers with mappings onto a PIM machine, from a result file or from --arch, --layers and --mapping.
#include <fmt/format.h>

#include "app/inputs.h"
#include "app/pim/pim.h"
#include "report/results/pim/texts.h"
#include "report/results/violation_text.h"
#include "report/run_record.h"

namespace nestor::app::pim_space {
namespace {

using io::pim::RunRecord;

io::Result<RunRecord> from_result_file(const io::RunOptions& options, io::Verb verb) {
  auto run = io::pim::read_run(options.inputs.front());
  if (!run) return run;
  run->inputs = {report::describe_file("result", options.inputs.front())};
  run->optimum.reset();  // a choice of points, not of the selected mappings
  const auto name_of = [](const io::pim::LayerRecord& record) -> const std::string& {
    return record.layer.name;
  };
  if (auto error = keep_named(run->layers, run->network, options.layer, name_of)) return *error;
  for (auto& record : run->layers)
    if (auto error = keep_chosen(record, options, verb)) return *error;
  return run;
}

io::Result<RunRecord> from_files(const io::RunOptions& options) {
  auto machine = io::pim::read_machine(options.arch, options.settings);
  if (!machine) return machine.error();
  auto network = read_network(options.layers, options);
  if (!network) return network.error();
  auto mappings = io::pim::read_mappings(options.mapping, *machine, network->layers);
  if (!mappings) return mappings.error();
  RunRecord run;
  run.network = network->name;
  run.unmapped = std::move(network->unmapped);
  run.machine = std::move(*machine);
  for (std::size_t i = 0; i < network->layers.size(); ++i) {
    auto& record = run.layers.emplace_back();
    record.layer = network->layers[i];
    record.best.mapping = (*mappings)[i];
  }
  run.inputs = describe_mapped_inputs(options);
  const auto name_of = [](const io::pim::LayerRecord& record) -> const std::string& {
    return record.layer.name;
  };
  if (auto error = keep_named(run.layers, run.network, options.layer, name_of)) return *error;
  return run;
}

// Brings a mapping into canonical form. An illegal mapping is an error.
io::MaybeError normalise_and_check(const io::pim::NamedPimMachine& named, const Layer& layer,
                                   io::pim::MappedPimPoint& point, const std::string& file) {
  const auto& machine = named.machine;
  const LayerShape shape = point.nest(layer.shape);
  auto& mapping = *point.mapping;
  const auto refusal = nestor::pim::admit(shape, machine);
  if (refusal != Refusal::none)
    return io::input_error({file}, fmt::format("layer '{}': {}", layer.name, io::refusal_text(refusal)));
  auto violation = nestor::pim::find_misplacement(machine, mapping);
  if (!violation) {
    nestor::pim::normalise(mapping, shape, machine);
    violation = nestor::pim::find_violation(shape, machine, mapping);
  }
  if (!violation) return std::nullopt;
  return io::input_error({file}, fmt::format("mapping of layer '{}': {}", layer.name,
                                             io::pim::violation_text(*violation, mapping, named)));
}

// Brings all mappings of a run into canonical form. Layers without a mapping are skipped.
io::MaybeError normalise_and_check(RunRecord& run, const io::RunOptions& options) {
  const auto& file = options.inputs.empty() ? options.mapping : options.inputs.front();
  for (auto& record : run.layers) {
    if (record.best.mapping)
      if (auto error = normalise_and_check(run.machine, record.layer, record.best, file)) return error;
    for (auto& point : record.front)
      if (auto error = normalise_and_check(run.machine, record.layer, point, file)) return error;
  }
  return std::nullopt;
}

}  // namespace

io::Result<RunRecord> read_mapped_layers(const io::RunOptions& options, io::Verb verb) {
  if (auto error = check_mapped_inputs(options, verb, "pim")) return *error;
  auto run = options.inputs.empty() ? from_files(options) : from_result_file(options, verb);
  if (!run) return run;
  run->version = NESTOR_VERSION;
  run->verb = io::to_string(verb);
  run->options = report::given_options(options, verb);
  return run;
}

io::Result<RunRecord> read_legal_layers(const io::RunOptions& options, io::Verb verb) {
  auto run = read_mapped_layers(options, verb);
  if (!run) return run;
  if (auto error = normalise_and_check(*run, options)) return *error;
  return run;
}

}  // namespace nestor::app::pim_space
