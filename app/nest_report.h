// The verbs of the loop-nest spaces that report on given mappings: evaluate, simulate and show. `Space` is a
// traits type (app/cim/nests.h, app/pim/nests.h).
#pragma once

#include <fmt/format.h>

#include <string>

#include "app/console.h"
#include "app/nest_inputs.h"
#include "app/output.h"
#include "report/front_tables.h"
#include "report/network_text.h"
#include "report/tables/progress.h"

namespace nestor::app {

/// The figures of a verb for layers with mappings.
template <typename Record>
class LayerReport {
 public:
  virtual ~LayerReport() = default;

  /// Checks that the verb applies to the layers, before the first one is added.
  virtual io::MaybeError check() { return std::nullopt; }
  /// Sets the figures of the next layer, which may have no mapping.
  virtual io::MaybeError add(Record& record) = 0;
  virtual std::string tables() = 0;
  /// Writes the trace of the only layer (--trace).
  virtual io::MaybeError write_trace(const std::string& /*path*/) { return std::nullopt; }
};

/// Runs `evaluate` or `simulate`. `Report` is a LayerReport that is made from the run and the options.
template <typename Space, typename Report>
io::Result<ExitStatus> report_layers(const io::RunOptions& options, io::Verb verb) {
  auto run = read_legal_layers<Space>(options, verb);
  if (!run) return run.error();
  const bool is_traced = !options.trace.empty();
  if (is_traced)
    if (auto error = check_one_traced(run->layers)) return *error;
  Report report(*run, options);
  if (auto error = report.check()) return *error;
  io::ProgressLine progress;
  for (std::size_t i = 0; i < run->layers.size(); ++i) {
    auto& record = run->layers[i];
    if (progress.due()) progress.show(io::layer_progress(i + 1, run->layers.size(), record.layer.name));
    if (auto error = report.add(record)) return *error;
  }
  progress.clear();
  if (prints_tables(options)) print_text(report.tables());
  Outputs outputs;
  if (is_traced) outputs.add(report.write_trace(options.trace));
  outputs.add(write_json_output(options, Space::run_to_json(*run)));
  return outputs.end(ExitStatus::solved);
}

/// Shows the mappings and the fronts of a run. `set_cost` sets the cost of a point of a layer's front, and
/// `text_of_best` returns the text of a layer's mapping.
template <typename Space, typename SetCost, typename TextOfBest>
Shown show_nests(typename Space::Run& run, const SetCost& set_cost, const TextOfBest& text_of_best) {
  Shown shown;
  shown.with.layers = true;
  bool has_fronts = false;
  for (auto& record : run.layers) {
    for (auto& point : record.front) {
      if (!point.mapping) continue;
      set_cost(record, point);
      has_fronts = true;
    }
    if (!record.best.mapping) continue;
    const auto nest = record.best.nest(record.layer.shape);
    shown.add_layer(record.layer.name, run.machine.name, report::mapped_shape_text(record.layer.shape, nest),
                    text_of_best(record, nest));
  }
  const auto& model = run.objective.latency_model;
  if (has_fronts)
    shown.text +=
        fmt::format("{} on {}, latency-energy fronts{}\n\n{}", run.network, run.machine.name,
                    model.empty() ? "" : ", latency model " + model, report::front_points_text(run));
  if (shown.text.empty()) shown.text = "no layer has a mapping\n";
  shown.json = Space::run_to_json(run);
  return shown;
}

}  // namespace nestor::app
