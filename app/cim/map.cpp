// nestor map on a cim machine: the best mapping of every layer of a network, with a proof of its quality.
#include "app/cim/cim.h"
#include "app/cim/map_bounds.h"
#include "app/cim/map_request.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/map_reporter.h"
#include "app/map_task.h"
#include "app/network_scope.h"
#include "app/output.h"
#include "io/cim/architecture_file.h"
#include "mapper/cim/cut_layers.h"
#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/conflict.h"
#include "report/cim/cuts_text.h"
#include "report/cim/explanation.h"
#include "report/cim/map_record.h"
#include "report/cim/map_tables.h"
#include "report/conflict_text.h"
#include "report/padding_hints.h"
#include "report/run_record.h"

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
  run.version = NESTOR_VERSION;
  run.objective.name = options.scope == io::Scope::network
                           ? "pareto"
                           : io::find_option(io::Verb::map, "objective")->get(options);
  run.objective.latency_model = io::to_string(options.latency_model);
  run.options = report::given_options(options, io::Verb::map);
  run.network = std::move(task->network);
  run.inputs = std::move(task->inputs);
  run.unmapped = std::move(task->unmapped);
  for (const Layer& layer : task->layers) run.layers.emplace_back().layer = layer;
  run.architecture = std::move(*architecture);
  return run;
}

class Reporter final : public MapReporter<CimLayerMap> {
 public:
  Reporter(io::ResultWriter& writer, cim::LatencyModel model, std::span<const Layer> layers,
           const UniqueShapes& shapes, report::Checkpoint& checkpoint, report::ProofWriter& proof,
           const io::RunOptions& options)
      : MapReporter(layers, shapes, checkpoint, proof, options), writer_(writer), model_(model) {}

 private:
  void record(std::size_t layer, std::size_t first, const CimLayerMap& map) override {
    const auto& run = writer_.result();
    auto record = report::map_record(run.layers[layer].layer, map, run.architecture, model_);
    if (layer != first) {
      record.same_as = run.layers[first].layer.name;
      record.search.reset();
    }
    static_cast<void>(writer_.finish_layer(layer, std::move(record)));
  }
  void catch_up() override { static_cast<void>(writer_.catch_up()); }

  io::ResultWriter& writer_;
  cim::LatencyModel model_;
};

std::vector<LayerPoints> points_of(const io::RunResult& run) {
  std::vector<LayerPoints> layers;
  for (const auto& record : run.layers) {
    auto& layer = layers.emplace_back();
    layer.name = record.layer.name;
    layer.repeat = record.layer.repeat;
    layer.status = record.status.value_or(Status::time_limit);
    for (const auto& point : record.front)
      layer.points.push_back({point.latency_cycles.value_or(0), point.energy_pj.value_or(0)});
  }
  return layers;
}

io::Error disagreement(const std::string& layer, mapper::Fault fault) {
  return io::internal_error(
      fmt::format("layer '{}': the search and the {} disagree; please report this", layer,
                  fault == mapper::Fault::wrong_cost ? "evaluator's cost" : "legality check"));
}

// Records the effects of changed resources, for every shape that has a mapping, in the first layer of that
// shape.
io::MaybeError explain_layers(io::ResultWriter& writer, const std::vector<CimLayerMap>& maps,
                              const UniqueShapes& shapes, const mapper::CimRequest& request,
                              const mapper::Resources& resources) {
  const auto& run = writer.result();
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].best.empty()) continue;
    const std::size_t first = shapes.shapes[i].first;
    auto record = run.layers[first];
    const auto reports =
        mapper::explain_layer(record.layer.shape, run.architecture.machine, request, maps[i], resources);
    if (const auto fault = mapper::fault_of(reports); fault != mapper::Fault::none)
      return disagreement(record.layer.name, fault);
    report::explain(record, reports, run.architecture, request.objective.latency_model);
    static_cast<void>(writer.finish_layer(first, std::move(record)));  // finish() returns any error
  }
  return std::nullopt;
}

// Returns an error if a search result contradicts the evaluator. This is a bug and not an input error.
io::MaybeError fault_of(const std::vector<CimLayerMap>& maps, const UniqueShapes& shapes,
                        const std::vector<io::LayerResult>& layers) {
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].fault == mapper::Fault::none) continue;
    const auto& name = layers[shapes.shapes[i].first].layer.name;
    return disagreement(name, maps[i].fault);
  }
  return std::nullopt;
}

std::vector<Layer> layers_of(const io::RunResult& run) {
  std::vector<Layer> layers;
  for (const auto& record : run.layers) layers.push_back(record.layer);
  return layers;
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

io::Result<ExitStatus> verdict(const std::vector<CimLayerMap>& maps, const UniqueShapes& shapes,
                               const io::RunResult& run, const mapper::CimRequest& request,
                               const mapper::Resources& resources) {
  std::string_view limit;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (maps[i].heuristic) {
      if (maps[i].best.empty()) limit = nothing_found;
      continue;
    }
    const Status status = maps[i].status;
    if (status == Status::infeasible) {
      const auto& layer = run.layers[shapes.shapes[i].first].layer;
      const auto conflict = mapper::find_conflict(layer.shape, run.architecture.machine, request, resources);
      io::Error error;
      error.kind = io::ErrorKind::infeasible;
      error.message = fmt::format(
          "layer '{}' has no mapping onto {}: {}", layer.name, run.architecture.name,
          report::conflict_text(conflict, request.constraints, run.architecture.machine, run.architecture));
      return error;
    }
    const bool ended = status == Status::heuristic && !maps[i].best.empty();
    if (status != Status::optimal && status != Status::gap_reached && !ended) limit = to_string(status);
  }
  return limit.empty() ? ExitStatus::solved : limited_by(limit);
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
  const bool streams = options.json == "-";
  io::ResultWriter writer(streams ? "" : options.json, std::move(*run));
  report::ProofWriter proof(options.proof, shapes->shapes.size());
  Reporter reporter(writer, options.latency_model, layers, *shapes, checkpoint, proof, options);
  const auto maps = mapper::map_network(layers, shapes->shapes, writer.result().architecture.machine, request,
                                        resources, &reporter);
  reporter.close();
  if (auto fault = fault_of(maps, *shapes, writer.result().layers)) return *fault;
  std::vector<LayerPoints> fronts;
  if (options.scope == io::Scope::network) {
    fronts = points_of(writer.result());
    writer.set_optimum(choose_for_network(fronts, *shapes, options, *network, resources));
  }
  if (options.explain)
    if (auto error = explain_layers(writer, maps, *shapes, request, resources)) return *error;
  Outputs outputs;
  outputs.add(checkpoint.catch_up(true));
  if (proof.is_wanted())
    outputs.add(
        proof.write(io::result_to_json(writer.result()), writer.result().architecture.axis_names, *shapes));
  outputs.add(writer.finish());
  if (streams)
    outputs.add(write_json_output(options, io::result_to_json(writer.result())));
  else if (!options.report.empty())
    outputs.add(write_report_output(options, io::result_to_json(writer.result())));
  if (prints_tables(options)) {
    const auto& result = writer.result();
    print_text(report::map_tables_text(result, options));
    if (result.optimum) print_text(network_optimum_text(*result.optimum, fronts));
    if (options.remainder) print_text(report::cuts_text(cuts, result));
    const auto hints = mapper::look_at_paddings(layers, shapes->shapes, result.architecture.machine, request,
                                                maps, resources);
    print_text(report::padding_hints_text(layers, *shapes, hints, result.objective.name, [&](double value) {
      return report::objective_text(result, value);
    }));
  }
  const auto& optimum = writer.result().optimum;
  if (optimum && optimum->status == Status::infeasible && has_points(fronts))
    return outputs.end(limits_not_kept(fronts, *network));
  auto end = verdict(maps, *shapes, writer.result(), request, resources);
  if (optimum && end && *end == ExitStatus::solved && optimum->status != Status::optimal)
    end = limited_by(to_string(optimum->status));
  if (!cuts.proved() && end && *end == ExitStatus::solved) end = limited_by(to_string(cuts.status));
  return outputs.end(end);
}

}  // namespace nestor::app::cim_space
