// nestor map on a cim machine: the best mapping of every layer of a network, with a proof of its quality.
#include "app/cim/cim.h"
#include "app/cim/map_bounds.h"
#include "app/cim/map_request.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/nest_map.h"
#include "io/cim/architecture_file.h"
#include "mapper/cim/cut_layers.h"
#include "mapper/cim/map_layer.h"
#include "report/cim/cuts_text.h"
#include "report/cim/explanation.h"
#include "report/cim/map_record.h"
#include "report/cim/map_tables.h"
#include "report/padding_hints.h"

namespace nestor::app::cim_space {
namespace {

using mapper::CimLayerMap;

constexpr std::size_t program_memory = std::size_t{27} << 20U;

// Reads the machine and the layers. Returns the record of the run, whose layers have no results yet.
io::Result<io::RunResult> read_task(const io::RunOptions& options) {
  if (auto error = check_map_inputs(options)) return *error;
  auto architecture = io::read_architecture(options.arch, options.settings);
  if (!architecture) return architecture.error();
  remark_untranslated(options.arch, architecture->untranslated);
  auto task = read_map_task(options, architecture->machine, [&](const LayerShape& shape) {
    return cim::admit(shape, architecture->machine);
  });
  if (!task) return task.error();
  io::RunResult run;
  begin_run(run, std::move(*task), options);
  run.objective.latency_model = io::to_string(options.latency_model);
  run.architecture = std::move(*architecture);
  return run;
}

// Records the result of a layer. `first` is the first layer of the same shape.
void record_layer(io::RunResult& run, std::size_t layer, std::size_t first, const CimLayerMap& map,
                  cim::LatencyModel model) {
  auto& record = run.layers[layer];
  record = report::map_record(record.layer, map, run.architecture, model);
  if (layer == first) return;
  record.same_as = run.layers[first].layer.name;
  record.search.reset();
}

// Records the effects of changed resources, for every shape that has a mapping, in the first layer of that
// shape.
io::MaybeError explain_layers(io::RunResult& run, const std::vector<CimLayerMap>& maps,
                              const UniqueShapes& shapes, const mapper::CimRequest& request,
                              const mapper::Resources& resources) {
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].best.empty()) continue;
    auto& record = run.layers[shapes.shapes[i].first];
    const auto reports =
        mapper::explain_layer(record.layer.shape, run.architecture.machine, request, maps[i], resources);
    if (const auto fault = mapper::fault_of(reports); fault != mapper::Fault::none)
      return disagreement(record.layer.name, fault);
    report::explain(record, reports, run.architecture, request.objective.latency_model);
  }
  return std::nullopt;
}

// Cuts each layer in two where this costs less. The choice of cuts uses half of the remaining time; the other
// half is for the searches of the parts.
mapper::CutNetwork cut_network(io::RunResult& run, const mapper::CimRequest& request,
                               mapper::Resources resources) {
  if (resources.deadline) {
    const auto now = mapper::Resources::Clock::now();
    resources.deadline = now + (*resources.deadline - now) / 2;
  }
  auto network = mapper::cut_layers(layers_of(run), run.architecture.machine, request, resources);
  run.layers.clear();
  for (const Layer& layer : network.layers) run.layers.emplace_back().layer = layer;
  return network;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  auto run = read_task(options);
  if (!run) return run.error();
  auto request = request_of(options);
  const auto network = network_objective(options);
  if (!network) return network.error();
  if (auto error = set_constraints(options, run->architecture.machine, run->architecture, request, &*run))
    return *error;
  const auto executor = make_executor(options.executor, static_cast<int>(options.threads));
  MemoryBudget memory(search_memory(options, program_memory));
  mapper::Resources resources{*executor, memory};
  resources.deadline = deadline_after(options.run_time_limit, program_start());
  resources.interrupted = &watch_signals();

  const auto cuts = options.remainder ? cut_network(*run, request, resources) : mapper::CutNetwork{};
  if (cuts.fault != mapper::Fault::none) return disagreement(cuts.faulty, cuts.fault);
  const auto layers = layers_of(*run);
  const auto shapes = unique_shapes(layers);
  if (!shapes)
    return io::input_error({options.inputs.front()}, "the sum of the layers' repeats is too large");

  if (options.bound_only) return report_bounds(options, *run, *shapes, request, resources);
  report::Checkpoint checkpoint(options.checkpoint, std::chrono::duration<double>(options.every),
                                shapes->shapes.size(), memory);
  if (auto error = checkpoint.begin([&] { return io::result_to_json(*run); }, options.resume)) return *error;
  report::ProofWriter proof(options.proof, shapes->shapes.size());
  RunReporter<io::RunResult, CimLayerMap> reporter(
      *run,
      [&](std::size_t layer, std::size_t first, const CimLayerMap& map) {
        record_layer(*run, layer, first, map, options.latency_model);
      },
      io::result_to_json, layers, *shapes, checkpoint, proof, options);
  const auto& machine = run->architecture.machine;
  const auto maps = mapper::map_network(layers, shapes->shapes, machine, request, resources, &reporter);
  reporter.close();
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (maps[i].fault != mapper::Fault::none)
      return disagreement(layers[shapes->shapes[i].first].name, maps[i].fault);
  std::vector<LayerPoints> fronts;
  if (options.scope == io::Scope::network) {
    fronts = points_of(*run, [](const io::MappedPoint& point) {
      return mapper::FrontPoint{point.latency_cycles.value_or(0), point.energy_pj.value_or(0)};
    });
    run->optimum = choose_for_network(fronts, *shapes, options, *network, resources);
  }
  if (options.explain)
    if (auto error = explain_layers(*run, maps, *shapes, request, resources)) return *error;
  const auto json = io::result_to_json(*run);
  Outputs outputs;
  outputs.add(checkpoint.catch_up(true));
  if (proof.is_wanted()) outputs.add(proof.write(json, run->architecture.axis_names, *shapes));
  outputs.add(write_json_output(options, json));
  if (prints_tables(options)) {
    print_text(report::map_tables_text(*run, options));
    if (run->optimum) print_text(network_optimum_text(*run->optimum, fronts));
    if (options.remainder) print_text(report::cuts_text(cuts, *run));
    const auto hints = mapper::look_at_paddings(layers, shapes->shapes, machine, request, maps, resources);
    print_text(report::padding_hints_text(layers, *shapes, hints, run->objective.name,
                                          [&](double value) { return report::objective_text(*run, value); }));
  }
  const auto& optimum = run->optimum;
  if (optimum && optimum->status == Status::infeasible && has_points(fronts))
    return outputs.end(limits_not_kept(fronts, *network));
  auto end = verdict(*run, run->architecture, request, resources);
  if (optimum && end && *end == ExitStatus::solved && optimum->status != Status::optimal)
    end = limited_by(to_string(optimum->status));
  if (!cuts.proved() && end && *end == ExitStatus::solved) end = limited_by(to_string(cuts.status));
  return outputs.end(end);
}

}  // namespace nestor::app::cim_space
