// Functions that read results for the HTML report. Each result is checked with the reader of its space, if
// there is one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/options.h"
#include "model/cim/evaluate.h"
#include "model/cim/search/admission.h"
#include "model/loopnest/canonical.h"
#include "model/loopnest/rules/legality.h"
#include "report/cim/trace/cim_trace.h"
#include "report/html/figures.h"
#include "report/html/page.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/keys/trace.h"
#include "report/results/chip/compiled_file.h"
#include "report/results/cim/evaluation_json.h"
#include "report/results/cim/result_file.h"
#include "report/results/node_json.h"
#include "report/results/pim/result_file.h"

namespace nestor::report::html {
namespace {

using io::Json;

constexpr std::array<std::string_view, 5> spaces = {"cim", "pim", "cnm", "simd", "chip"};
constexpr std::array<std::string_view, 7> verbs = {"map",      "evaluate", "simulate", "compile",
                                                   "schedule", "estimate", "import"};

// A legal mapping in canonical form, and what it costs.
struct Evaluated {
  LayerShape shape;
  Mapping mapping;
  cim::CimEvaluation evaluation;
};

std::optional<Evaluated> evaluated(const io::CimRecord& layer, const io::CimPoint& point,
                                   const Architecture& machine) {
  if (!point.mapping) return std::nullopt;
  Evaluated result{point.nest(layer.layer.shape), *point.mapping, {}};
  if (cim::admit(result.shape, machine) != Refusal::none || find_misplacement(machine, result.mapping))
    return std::nullopt;
  normalise(result.mapping, result.shape, machine);
  if (find_violation(result.shape, machine, result.mapping)) return std::nullopt;
  result.evaluation = cim::evaluate(result.shape, machine, result.mapping);
  return result;
}

// Returns the parts of an evaluation that the report shows and that results of map and simulate lack. The
// energy by part is left out if its sum is not the energy that the result states.
Json added_evaluation(const Evaluated& found, const io::CimPoint& point, const io::CimRun& run) {
  const auto whole = io::evaluation_to_json(found.evaluation, run.machine);
  Json json = {{key::sizes_bits, whole[key::sizes_bits]}, {key::usage_bits, whole[key::usage_bits]}};
  const auto model = io::latency_model_of(run);
  const double energy = found.evaluation.total_energy_pj(run.machine.machine, model);
  constexpr double rounding = 1e-9;
  if (point.energy_pj && std::abs(*point.energy_pj - energy) <= rounding * energy)
    json[key::energy] = whole[key::energy];
  return json;
}

// Adds evaluations to the layers that have none, and to the first and last points of fronts.
void add_evaluations(Json& json, const io::CimRun& run) {
  const auto add = [&](Json& entry, const io::CimRecord& layer, const io::CimPoint& point) {
    if (!entry.is_object() || entry.contains(key::evaluation)) return;
    if (const auto found = evaluated(layer, point, run.machine.machine))
      entry[key::evaluation] = added_evaluation(*found, point, run);
  };
  auto& layers = json[key::layers];
  for (std::size_t i = 0; i < run.layers.size() && i < layers.size(); ++i) {
    const auto& layer = run.layers[i];
    add(layers[i], layer, layer.best);
    if (layer.front.empty() || layers[i][key::front].size() != layer.front.size()) continue;
    add(layers[i][key::front].front(), layer, layer.front.front());
    add(layers[i][key::front].back(), layer, layer.front.back());
  }
}

// Adds the first events of every replayed layer's timeline, within a limit for the whole page.
void add_timelines(Json& json, const io::CimRun& run) {
  constexpr std::size_t most_of_layer = 2000;
  constexpr std::size_t least_of_layer = 50;
  constexpr std::size_t most_of_page = 4000;
  constexpr Int most_steps = 200'000;
  const io::TraceOptions options{
      .max_events = std::clamp(most_of_page / std::max<std::size_t>(1, run.layers.size()), least_of_layer,
                               most_of_layer),
      .counters = false,
      .step_limit = most_steps};
  auto& layers = json[key::layers];
  for (std::size_t i = 0; i < run.layers.size() && i < layers.size(); ++i) {
    const auto& layer = run.layers[i];
    if (!layer.replay_cycles || !layer.same_as.empty()) continue;
    const auto found = evaluated(layer, layer.best, run.machine.machine);
    if (!found) continue;
    auto trace = io::make_trace(found->shape, run.machine, found->mapping, options);
    layers[i][key::timeline] = {{key::complete, trace.complete},
                                {key::trace_events, std::move(trace.json[key::trace_events])}};
  }
}

io::Result<ReportedResult> read_document(const io::Document& document, const std::string& name) {
  const auto root = document.root();
  if (const auto schema = root.find(key::schema);
      schema && (schema->text() == key::sweep_schema || schema->text() == key::comparison_schema))
    return ReportedResult{name, io::node_to_json(root)};
  const auto place = root.where();
  const auto space = root.find(key::space);
  const auto verb = root.find(key::verb);
  if (!io::is_result(document) || !space || !verb)
    return io::input_error(place, "is not a nestor result: expected the keys 'schema', 'verb' and 'space'");
  if (auto error = io::check_schema(root)) return *error;
  if (std::find(verbs.begin(), verbs.end(), verb->text()) == verbs.end())
    return io::input_error(verb->where(),
                           fmt::format("verb is {}, expected a result of {}", io::quote(verb->text()),
                                       io::join_words(io::Words(verbs))));
  if (std::find(spaces.begin(), spaces.end(), space->text()) == spaces.end())
    return io::input_error(space->where(), fmt::format("space is {}, expected {}", io::quote(space->text()),
                                                       io::join_words(io::Words(spaces))));
  ReportedResult reported{name, io::node_to_json(root)};
  if (space->text() == "cim") {
    const auto run = io::read_run(root);
    if (!run) return run.error();
    add_evaluations(reported.json, *run);
    if (verb->text() == io::to_string(io::Verb::simulate)) add_timelines(reported.json, *run);
  } else if (space->text() == "chip") {
    if (const auto compiled = io::read_compiled(document, name); !compiled) return compiled.error();
  }
  return reported;
}

}  // namespace

io::Result<ReportedResult> read_reported(const std::string& path) {
  const auto document = io::Document::read(path, io::result_limits);
  if (!document) return document.error();
  auto reported = read_document(*document, path);
  if (reported && at(reported->json, key::space) == Json("pim"))
    if (const auto run = io::pim::read_run(document->root()); !run) return run.error();
  return reported;
}

io::Result<ReportedResult> take_reported(const std::string& name, const Json& json) {
  const auto document = io::Document::parse(io::to_text(json), name + ".json", io::result_limits);
  if (!document) return document.error();
  return read_document(*document, name);
}

}  // namespace nestor::report::html
