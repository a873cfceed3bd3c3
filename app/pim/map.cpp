// nestor map on a PIM machine: the best mapping of every layer with its layouts, a bound and a status.
#include "app/console.h"
#include "app/interrupt.h"
#include "app/map_reporter.h"
#include "app/map_task.h"
#include "app/network_scope.h"
#include "app/output.h"
#include "app/pim/map_request.h"
#include "app/pim/pim.h"
#include "mapper/loopnest/conflict.h"
#include "mapper/pim/one_table.h"
#include "model/workload/unique_shapes.h"
#include "report/conflict_text.h"
#include "report/padding_hints.h"
#include "report/pim/map_tables.h"
#include "report/pim/mapped_record.h"
#include "report/results/pim/texts.h"
#include "report/results/running_file.h"
#include "report/run_record.h"

namespace nestor::app::pim_space {
namespace {

namespace mapping = mapper::pim;
using io::pim::LayerRecord;
using io::pim::RunRecord;

constexpr std::size_t program_memory = std::size_t{20} << 20U;

io::Result<RunRecord> read_task(const io::RunOptions& options) {
  if (auto error = check_map_inputs(options)) return *error;
  auto machine = io::pim::read_machine(options.arch, options.settings);
  if (!machine) return machine.error();
  auto task = read_map_task(options, machine->machine, [&](const LayerShape& shape) {
    return nestor::pim::admit(shape, machine->machine);
  });
  if (!task) return task.error();
  RunRecord run;
  run.version = NESTOR_VERSION;
  run.verb = "map";
  run.objective.name = options.scope == io::Scope::network
                           ? "pareto"
                           : io::find_option(io::Verb::map, "objective")->get(options);
  run.options = report::given_options(options, io::Verb::map);
  run.network = std::move(task->network);
  run.inputs = std::move(task->inputs);
  run.unmapped = std::move(task->unmapped);
  for (const Layer& layer : task->layers) run.layers.emplace_back().layer = layer;
  run.machine = std::move(*machine);
  return run;
}

io::Result<ExitStatus> verdict(const RunRecord& run, const mapping::PimRequest& request,
                               const mapping::Resources& resources, bool one_table) {
  std::string_view limit;
  for (const auto& record : run.layers) {
    if (record.status == Status::infeasible) {
      const auto& machine = run.machine;
      io::Error error;
      error.kind = io::ErrorKind::infeasible;
      if (one_table) {
        error.message = fmt::format("no bypass table suits all layers on {}", machine.name);
        return error;
      }
      const auto conflict = mapper::find_conflict(record.layer.shape, machine.machine, request, resources);
      error.message =
          fmt::format("layer '{}' has no mapping onto {}: {}", record.layer.name, machine.name,
                      report::conflict_text(conflict, request.constraints, machine.machine, machine));
      return error;
    }
    const bool ended = record.status == Status::heuristic && record.best.mapping;
    const bool stopped =
        record.status && *record.status != Status::optimal && *record.status != Status::gap_reached && !ended;
    if (stopped)
      limit = to_string(*record.status);
    else if (!record.best.mapping)
      limit = nothing_found;
  }
  return limit.empty() ? ExitStatus::solved : limited_by(limit);
}

std::vector<LayerPoints> points_of(const RunRecord& run) {
  std::vector<LayerPoints> layers;
  for (const auto& record : run.layers) {
    auto& layer = layers.emplace_back();
    layer.name = record.layer.name;
    layer.repeat = record.layer.repeat;
    layer.status = record.status.value_or(Status::time_limit);
    for (const auto& point : record.front)
      layer.points.push_back(
          {point.evaluation->latency_cycles, point.evaluation->total_energy_pj(run.machine.machine)});
  }
  return layers;
}

io::Error disagreement(const std::string& layer) {
  return io::internal_error(
      fmt::format("layer '{}': the search and the evaluator disagree; please report this", layer));
}

class Reporter final : public MapReporter<mapping::PimLayerMap> {
 public:
  Reporter(RunRecord& run, const std::string& json, std::span<const Layer> layers, const UniqueShapes& shapes,
           report::Checkpoint& checkpoint, report::ProofWriter& proof, const io::RunOptions& options)
      : MapReporter(layers, shapes, checkpoint, proof, options), run_(run), file_(json) {}

 private:
  void record(std::size_t layer, std::size_t /*first*/, const mapping::PimLayerMap& map) override {
    report::set_result(run_.layers[layer], map);
    file_.mark_outdated();
  }
  void catch_up() override {
    static_cast<void>(file_.catch_up([this] {
      auto partial = run_;
      partial.complete = false;
      std::erase_if(partial.layers, [](const LayerRecord& record) { return !record.status; });
      return io::to_text(io::pim::run_to_json(partial));
    }));
  }

  RunRecord& run_;
  io::RunningFile file_;
};

io::MaybeError map_all(RunRecord& run, std::span<const Layer> layers, const UniqueShapes& shapes,
                       const mapping::PimRequest& request, const mapping::Resources& resources,
                       const io::RunOptions& options, report::Checkpoint& checkpoint,
                       report::ProofWriter& proof, std::string& hints) {
  Reporter reporter(run, options.json, layers, shapes, checkpoint, proof, options);
  const auto maps =
      mapper::map_network(layers, shapes.shapes, run.machine.machine, request, resources, &reporter);
  reporter.close();
  for (std::size_t s = 0; s < maps.size(); ++s) {
    auto& first = run.layers[shapes.shapes[s].first];
    if (maps[s].fault != mapper::Fault::none) return disagreement(first.layer.name);
    if (!options.explain || maps[s].best.empty()) continue;
    const auto found =
        mapping::explain_layer(first.layer.shape, run.machine.machine, request, maps[s], resources);
    if (mapper::fault_of(found) != mapper::Fault::none) return disagreement(first.layer.name);
    report::explain(first, found, run.machine);
  }
  if (prints_tables(options))
    hints = report::padding_hints_text(
        layers, shapes,
        mapper::look_at_paddings(layers, shapes.shapes, run.machine.machine, request, maps, resources),
        run.objective.name, [&](double value) { return report::objective_text(run, value); });
  return std::nullopt;
}

io::MaybeError map_with_one_table(RunRecord& run, std::span<const Layer> layers, const UniqueShapes& shapes,
                                  const mapping::PimRequest& request, const mapping::Resources& resources) {
  const auto maps =
      mapping::map_with_one_table(layers, shapes.shapes, run.machine.machine, request, resources);
  if (maps.fault != mapper::Fault::none) return disagreement(run.network);
  for (std::size_t i = 0; i < run.layers.size(); ++i) {
    if (maps.shapes.empty()) {
      run.layers[i].status = maps.status;
      continue;
    }
    const auto& map = maps.shapes[shapes.shape_of_layer[i]];
    report::set_result(run.layers[i], map);
    if (maps.status != Status::optimal) run.layers[i].status = maps.status;
  }
  run.table = maps.table;
  return std::nullopt;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  auto run = read_task(options);
  if (!run) return run.error();
  // With the hybrid formulas, one bypass table for all layers is not tested against brute force, so it is
  // refused.
  if (run->machine.machine.row_model == nestor::pim::RowModel::hybrid && options.fix_bypass)
    return io::usage_error("--fix-bypass cannot be used with row_model hybrid: each layer has its own table");
  const auto request = request_of(options, run->machine, &*run);
  if (!request) return request.error();
  const auto network = network_objective(options);
  if (!network) return network.error();
  std::vector<Layer> layers;
  for (const auto& record : run->layers) layers.push_back(record.layer);
  const auto shapes = unique_shapes(layers);
  if (!shapes) return io::input_error({}, "the sum of the layers' repeats is too large");
  const auto executor = make_executor(options.executor, static_cast<int>(options.threads));
  MemoryBudget memory(search_memory(options, program_memory));
  mapping::Resources resources{*executor, memory};
  resources.interrupted = &watch_signals();
  const auto begin = program_start();
  resources.deadline = deadline_after(options.run_time_limit, begin);
  report::Checkpoint checkpoint(options.checkpoint, std::chrono::duration<double>(options.every),
                                shapes->shapes.size(), memory);
  if (auto error = checkpoint.begin([&] { return io::pim::run_to_json(*run); }, options.resume))
    return *error;
  report::ProofWriter proof(options.proof, shapes->shapes.size());
  std::string hints;
  const auto error = options.fix_bypass ? map_with_one_table(*run, layers, *shapes, *request, resources)
                                        : map_all(*run, layers, *shapes, *request, resources, options,
                                                  checkpoint, proof, hints);
  if (error) return *error;
  std::vector<LayerPoints> fronts;
  if (options.scope == io::Scope::network) {
    fronts = points_of(*run);
    run->optimum = choose_for_network(fronts, *shapes, options, *network, resources);
  }
  const double seconds = options.no_times ? 0 : seconds_since(begin);
  const auto json = io::pim::run_to_json(*run);
  Outputs outputs;
  outputs.add(checkpoint.catch_up(true));
  if (proof.is_wanted()) outputs.add(proof.write(json, run->machine.axis_names, *shapes));
  outputs.add(write_json_output(options, json));
  if (prints_tables(options)) print_text(report::map_tables_text(*run, options, seconds) + hints);
  if (prints_tables(options) && run->optimum) print_text(network_optimum_text(*run->optimum, fronts));
  if (run->optimum && run->optimum->status == Status::infeasible && has_points(fronts))
    return outputs.end(limits_not_kept(fronts, *network));
  auto end = verdict(*run, *request, resources, options.fix_bypass);
  if (run->optimum && end && *end == ExitStatus::solved && run->optimum->status != Status::optimal)
    end = limited_by(to_string(run->optimum->status));
  return outputs.end(end);
}

}  // namespace nestor::app::pim_space
