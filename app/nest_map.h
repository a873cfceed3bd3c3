// `map` in the loop-nest spaces.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "app/console.h"
#include "app/interrupt.h"
#include "app/map_reporter.h"
#include "app/map_task.h"
#include "app/network_scope.h"
#include "app/output.h"
#include "mapper/loopnest/conflict.h"
#include "mapper/loopnest/explain_resource.h"
#include "mapper/loopnest/fault.h"
#include "report/conflict_text.h"
#include "report/padding_hints.h"
#include "report/results/running_file.h"
#include "report/run_record.h"

namespace nestor::app {

/// Returns the layers' fronts.
template <typename Run>
std::vector<LayerPoints> points_of(const Run& run) {
  std::vector<LayerPoints> layers;
  for (const auto& record : run.layers) {
    auto& layer = layers.emplace_back();
    layer.name = record.layer.name;
    layer.repeat = record.layer.repeat;
    layer.status = record.status.value_or(Status::time_limit);
    for (const auto& point : record.front)
      if (const auto cost = cost_of(point, run.machine))
        layer.points.push_back({cost->cycles, cost->energy_pj});
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

/// A run of `map`, in steps that a space calls in order. `Space` is a traits type (app/cim/nests.h,
/// app/pim/nests.h).
template <typename Space>
class NestMap {
 public:
  using Run = typename Space::Run;
  using Request = typename Space::Request;
  using Map = mapper::MapOf<std::remove_cvref_t<decltype(Run::machine.machine)>, Request>;

  explicit NestMap(const io::RunOptions& options) : options_(options) {}

  Run& run() { return run_; }
  const Request& request() const { return *request_; }
  const mapper::Resources& resources() const { return *resources_; }
  std::span<const Layer> layers() const { return layers_; }
  const UniqueShapes& shapes() const { return shapes_; }

  /// Reads the machine, the layers, whose records have no results yet, and the request. The resources are set
  /// up last: until then, a signal ends the program at once, and the search gets the memory that is left.
  io::MaybeError read() {
    if (auto error = check_map_inputs(options_)) return error;
    auto named = Space::read_machine(options_.arch, options_.settings);
    if (!named) return named.error();
    remark_untranslated(options_.arch, named->untranslated);
    run_.machine = std::move(*named);
    auto task = read_map_task(options_, machine(),
                              [&](const LayerShape& shape) { return Space::admit(shape, machine()); });
    if (!task) return task.error();
    begin_run(std::move(*task));
    auto request = Space::request_of(options_, run_.machine);
    if (!request) return request.error();
    request_ = std::move(*request);
    auto network = network_objective(options_);
    if (!network) return network.error();
    network_ = *network;
    if (auto error = set_constraints(options_, machine(), run_.machine, *request_, &run_)) return error;
    set_up_resources();
    return std::nullopt;
  }

  /// Finds the layers of equal shape, which are searched once.
  io::MaybeError find_shapes() {
    for (const auto& record : run_.layers) layers_.push_back(record.layer);
    auto shapes = unique_shapes(layers_);
    if (!shapes)
      return io::input_error({options_.inputs.front()}, "the sum of the layers' repeats is too large");
    shapes_ = std::move(*shapes);
    return std::nullopt;
  }

  /// Begins the files of --checkpoint and --proof.
  io::MaybeError begin_files() {
    checkpoint_.emplace(options_.checkpoint, std::chrono::duration<double>(options_.every),
                        shapes_.shapes.size(), *memory_);
    proof_.emplace(options_.proof, shapes_.shapes.size());
    return checkpoint_->begin([&] { return Space::run_to_json(run_); }, options_.resume);
  }

  /// Searches all layers, and explains and chooses as the options demand.
  io::MaybeError search() {
    Reporter reporter(*this);
    maps_ = mapper::map_network(layers_, shapes_.shapes, machine(), *request_, *resources_, &reporter);
    reporter.close();
    for (std::size_t i = 0; i < maps_.size(); ++i)
      if (maps_[i].fault != mapper::Fault::none) return disagreement(first(i).layer.name, maps_[i].fault);
    choose();
    return options_.explain ? explain() : std::nullopt;
  }

  /// Chooses a point of each layer's front (--scope network).
  void choose() {
    if (options_.scope != io::Scope::network) return;
    fronts_ = points_of(run_);
    run_.optimum = choose_for_network(fronts_, shapes_, options_, *network_, *resources_);
  }

  /// Records the result of a layer. If it has the shape of an earlier layer, `first`, the search is recorded
  /// there.
  void set_result(std::size_t layer, std::size_t first, const Map& map) {
    auto& record = run_.layers[layer];
    Space::set_result(run_, record, map);
    if (layer == first) return;
    record.same_as = run_.layers[first].layer.name;
    record.search.reset();
  }

  /// Writes the result and prints `tables`. `more` is the text after the choice for the network.
  void write(const std::function<std::string()>& tables, const std::string& more = {}) {
    const auto json = Space::run_to_json(run_);
    outputs_.add(checkpoint_->catch_up(true));
    if (proof_->is_wanted()) outputs_.add(proof_->write(json, run_.machine.axis_names, shapes_));
    outputs_.add(write_json_output(options_, json));
    if (!prints_tables(options_)) return;
    print_text(tables());
    if (run_.optimum) print_text(network_optimum_text(*run_.optimum, fronts_));
    print_text(more);
    if (maps_.empty()) return;
    const auto hints =
        mapper::look_at_paddings(layers_, shapes_.shapes, machine(), *request_, maps_, *resources_);
    print_text(report::padding_hints_text(layers_, shapes_, hints, run_.objective.name));
  }

  /// Returns the status of the run, or its error. `cuts` is the status of the choice of cuts.
  io::Result<ExitStatus> end(Status cuts = Status::optimal) {
    const auto& optimum = run_.optimum;
    if (optimum && optimum->status == Status::infeasible && has_points(fronts_))
      return outputs_.end(limits_not_kept(fronts_, *network_));
    auto end = verdict(run_, run_.machine, *request_, *resources_);
    for (const auto& status : {optimum ? optimum->status : Status::optimal, cuts})
      if (end && *end == ExitStatus::solved && status != Status::optimal) end = limited_by(to_string(status));
    return outputs_.end(end);
  }
  io::Result<ExitStatus> end_with(io::Error error) { return outputs_.end(std::move(error)); }

 private:
  // Records the results of layers and keeps the file of --json up to date.
  class Reporter final : public MapReporter<Map> {
   public:
    explicit Reporter(NestMap& task)
        : MapReporter<Map>(task.layers_, task.shapes_, *task.checkpoint_, *task.proof_, task.options_),
          task_(task),
          file_(task.options_.json) {}

   private:
    void record(std::size_t layer, std::size_t first, const Map& map) override {
      task_.set_result(layer, first, map);
      file_.mark_outdated();
    }
    void catch_up() override {
      static_cast<void>(file_.catch_up([this] {
        Run partial = task_.run_;
        partial.complete = false;
        std::erase_if(partial.layers,
                      [](const auto& record) { return !record.status && !record.best.mapping; });
        return io::to_text(Space::run_to_json(partial));
      }));
    }

    NestMap& task_;
    io::RunningFile file_;
  };

  const auto& machine() const { return run_.machine.machine; }
  auto& first(std::size_t shape) { return run_.layers[shapes_.shapes[shape].first]; }

  void set_up_resources() {
    executor_ = make_executor(options_.executor, static_cast<int>(options_.threads));
    memory_.emplace(search_memory(options_, Space::program_memory));
    resources_.emplace(mapper::Resources{*executor_, *memory_});
    resources_->deadline = deadline_after(options_.run_time_limit, program_start());
    resources_->interrupted = &watch_signals();
  }

  void begin_run(MapTask task) {
    run_.version = NESTOR_VERSION;
    run_.verb = "map";
    run_.objective.name = options_.scope == io::Scope::network
                              ? "pareto"
                              : io::find_option(io::Verb::map, "objective")->get(options_);
    Space::set_latency_model(run_, options_);
    run_.options = report::given_options(options_, io::Verb::map);
    run_.network = std::move(task.network);
    run_.inputs = std::move(task.inputs);
    run_.unmapped = std::move(task.unmapped);
    for (const Layer& layer : task.layers) run_.layers.emplace_back().layer = layer;
  }

  // Records the effects of changed resources, for every shape that has a mapping, in the first layer of that
  // shape.
  io::MaybeError explain() {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      if (maps_[i].best.empty()) continue;
      auto& record = first(i);
      const auto reports = explain_layer(record.layer.shape, machine(), *request_, maps_[i], *resources_);
      if (const auto fault = mapper::fault_of(reports); fault != mapper::Fault::none)
        return disagreement(record.layer.name, fault);
      Space::explain(run_, record, reports);
    }
    return std::nullopt;
  }

  const io::RunOptions& options_;
  std::unique_ptr<Executor> executor_;
  std::optional<MemoryBudget> memory_;
  std::optional<mapper::Resources> resources_;
  Run run_;
  std::optional<Request> request_;
  std::optional<mapper::NetworkObjective> network_;
  std::vector<Layer> layers_;
  UniqueShapes shapes_;
  std::optional<report::Checkpoint> checkpoint_;
  std::optional<report::ProofWriter> proof_;
  std::vector<Map> maps_;
  std::vector<LayerPoints> fronts_;
  Outputs outputs_;
};

}  // namespace nestor::app
