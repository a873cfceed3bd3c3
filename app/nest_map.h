// `map` in the loop-nest spaces: the parts of a run that depend only on the form of its record. `Run` is the
// record of a run in its space, with one record per layer (report/results/result_parts.h).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "app/map_reporter.h"
#include "app/map_task.h"
#include "app/network_scope.h"
#include "app/output.h"
#include "mapper/loopnest/conflict.h"
#include "mapper/loopnest/fault.h"
#include "report/conflict_text.h"
#include "report/results/running_file.h"
#include "report/run_record.h"

namespace nestor::app {

/// Begins the record of a run, whose layers have no results yet.
template <typename Run>
void begin_run(Run& run, MapTask task, const io::RunOptions& options) {
  run.version = NESTOR_VERSION;
  run.verb = "map";
  run.objective.name = options.scope == io::Scope::network
                           ? "pareto"
                           : io::find_option(io::Verb::map, "objective")->get(options);
  run.options = report::given_options(options, io::Verb::map);
  run.network = std::move(task.network);
  run.inputs = std::move(task.inputs);
  run.unmapped = std::move(task.unmapped);
  for (const Layer& layer : task.layers) run.layers.emplace_back().layer = layer;
}

template <typename Run>
std::vector<Layer> layers_of(const Run& run) {
  std::vector<Layer> layers;
  for (const auto& record : run.layers) layers.push_back(record.layer);
  return layers;
}

/// Returns the layers' fronts. `figures` returns latency and energy of a point.
template <typename Run, typename Figures>
std::vector<LayerPoints> points_of(const Run& run, const Figures& figures) {
  std::vector<LayerPoints> layers;
  for (const auto& record : run.layers) {
    auto& layer = layers.emplace_back();
    layer.name = record.layer.name;
    layer.repeat = record.layer.repeat;
    layer.status = record.status.value_or(Status::time_limit);
    for (const auto& point : record.front) layer.points.push_back(figures(point));
  }
  return layers;
}

/// Returns the error for a search that contradicts the evaluator. This is a bug and not an input error.
inline io::Error disagreement(const std::string& layer, mapper::Fault fault) {
  return io::internal_error(
      fmt::format("layer '{}': the search and the {} disagree; please report this", layer,
                  fault == mapper::Fault::wrong_cost ? "evaluator's cost" : "legality check"));
}

/// Returns the status of a run, or the conflict of a layer that has no mapping.
template <typename Run, typename Machine, typename Request>
io::Result<ExitStatus> verdict(const Run& run, const Machine& named, const Request& request,
                               const mapper::Resources& resources) {
  std::string_view limit;
  for (const auto& record : run.layers) {
    const bool has_mapping = record.best.mapping || !record.front.empty();
    if (record.status == Status::infeasible) {
      const auto conflict = mapper::find_conflict(record.layer.shape, named.machine, request, resources);
      return io::infeasible_error(
          fmt::format("layer '{}' has no mapping onto {}: {}", record.layer.name, named.name,
                      report::conflict_text(conflict, request.constraints, named.machine, named)));
    }
    const bool ended = record.status == Status::heuristic && has_mapping;
    const bool stopped =
        record.status && *record.status != Status::optimal && *record.status != Status::gap_reached && !ended;
    if (stopped)
      limit = to_string(*record.status);
    else if (!has_mapping)
      limit = nothing_found;
  }
  return limit.empty() ? ExitStatus::solved : limited_by(limit);
}

/// Observer that records the results of layers and keeps the file of --json up to date.
template <typename Run, typename Map>
class RunReporter final : public MapReporter<Map> {
 public:
  using Record = std::function<void(std::size_t layer, std::size_t first, const Map& map)>;
  using ToJson = io::Json (*)(const Run&);

  RunReporter(Run& run, Record record, ToJson to_json, std::span<const Layer> layers,
              const UniqueShapes& shapes, report::Checkpoint& checkpoint, report::ProofWriter& proof,
              const io::RunOptions& options)
      : MapReporter<Map>(layers, shapes, checkpoint, proof, options),
        run_(run),
        record_(std::move(record)),
        to_json_(to_json),
        file_(options.json) {}

 private:
  void record(std::size_t layer, std::size_t first, const Map& map) override {
    record_(layer, first, map);
    file_.mark_outdated();
  }
  void catch_up() override {
    static_cast<void>(file_.catch_up([this] {
      Run partial = run_;
      partial.complete = false;
      std::erase_if(partial.layers,
                    [](const auto& record) { return !record.status && !record.best.mapping; });
      return io::to_text(to_json_(partial));
    }));
  }

  Run& run_;
  Record record_;
  ToJson to_json_;
  io::RunningFile file_;
};

}  // namespace nestor::app
