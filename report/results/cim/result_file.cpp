#include "report/results/cim/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/cim/evaluation_json.h"
#include "solver/search/tolerance.h"

namespace nestor::io {
namespace {

// Objectives are doubles; those that count cycles are written without a decimal point.
Json number(double value) {
  constexpr double exact_limit = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::fabs(value) <= exact_limit) return static_cast<Int>(value);
  return value;
}

template <typename T>
void put(Json& json, const char* key, const std::optional<T>& value) {
  if (!value) return;
  if constexpr (std::is_same_v<T, double>)
    json[key] = number(*value);
  else
    json[key] = *value;
}

void put_point(Json& json, const MappedPoint& point, const NamedArchitecture& architecture) {
  put(json, key::latency_cycles, point.latency_cycles);
  put(json, key::energy_pj, point.energy_pj);
  put(json, key::edp, point.edp);
  if (point.mapping) json[key::mapping] = mapping_to_json(*point.mapping, architecture);
  if (!point.padded) return;
  auto& padded = json[key::padded] = Json::object();
  for (const Dim dim : all_dims)
    if (const Int bound = (*point.padded)[index_of(dim)]; bound != 1)
      padded[std::string(1, letter(dim))] = bound;
}

Json points_to_json(const std::vector<MappedPoint>& points, const NamedArchitecture& architecture) {
  Json list = Json::array();
  for (const auto& point : points) {
    Json json = Json::object();
    put(json, key::objective, point.objective);
    put_point(json, point, architecture);
    list.push_back(std::move(json));
  }
  return list;
}

Json search_to_json(const SearchStatistics& search) {
  Json json = counts_to_json(search.counts);
  json[key::seconds] = search.seconds;
  auto& incumbents = json[key::incumbents] = Json::array();
  for (const auto& incumbent : search.incumbents)
    incumbents.push_back({{key::seconds, incumbent.seconds}, {key::objective, number(incumbent.objective)}});
  return json;
}

Json layer_result_to_json(const LayerResult& layer, const NamedArchitecture& architecture) {
  Json json = layer_to_json(layer.layer);
  if (!layer.same_as.empty()) json[key::same_as] = layer.same_as;
  if (layer.status) json[key::status] = to_string(*layer.status);
  put(json, key::objective, layer.best.objective);
  put(json, key::claimed_objective, layer.claimed_objective);
  put(json, key::lower_bound, layer.lower_bound);
  put(json, key::gap, layer.gap);
  put_point(json, layer.best, architecture);
  if (!layer.usage_bits.empty()) json[key::usage_bits] = layer.usage_bits;
  if (!layer.traffic_bits.empty()) json[key::traffic_bits] = layer.traffic_bits;
  if (!layer.spent_cycles.empty()) json[key::spent_cycles] = layer.spent_cycles;
  if (layer.search) json[key::search] = search_to_json(*layer.search);
  if (!layer.alternatives.empty()) json[key::alternatives] = points_to_json(layer.alternatives, architecture);
  if (!layer.front.empty()) json[key::front] = points_to_json(layer.front, architecture);
  if (!layer.resources.empty())
    json[key::resources] = resources_to_json(
        layer.resources, number,
        [&](Json& change, const MappedPoint& point) { put_point(change, point, architecture); });
  if (!layer.evaluation.is_null()) json[key::evaluation] = layer.evaluation;
  put(json, key::replay_cycles, layer.replay_cycles);
  if (!layer.stalls.is_null()) json[key::stalls] = layer.stalls;
  return json;
}

// sum += a * b, stopping at the largest Int: figures read from a file may be anything.
void add_product(Int& sum, Int a, Int b) {
  const auto product = checked_multiply(a, b);
  sum = (product ? checked_add(sum, *product) : std::nullopt).value_or(std::numeric_limits<Int>::max());
}

Json totals_to_json(const ResultTotals& totals) {
  Json json = {{key::layers, totals.layers},
               {key::mapped, totals.mapped},
               {key::macs, totals.macs},
               {key::latency_cycles, totals.latency_cycles},
               {key::energy_pj, number(totals.energy_pj)},
               {key::edp, number(totals.edp)}};
  put(json, key::objective, totals.objective);
  put(json, key::lower_bound, totals.lower_bound);
  put(json, key::gap, totals.gap);
  return json;
}

}  // namespace

Json result_to_json(const RunResult& result) {
  Json json = {{key::schema, result_schema},
               {key::version, result.version},
               {key::verb, result.verb},
               {key::space, result.space},
               {key::network, result.network},
               {key::objective, result.objective},
               {key::latency_model, result.latency_model}};
  put_origin(json, result);
  json[key::architecture] = architecture_to_json(result.architecture);
  auto& layers = json[key::layers] = Json::array();
  for (const auto& layer : result.layers) layers.push_back(layer_result_to_json(layer, result.architecture));
  auto& unmapped = json[key::unmapped] = Json::array();
  for (const auto& op : result.unmapped) unmapped.push_back({{key::type, op.type}, {key::count, op.count}});
  json[key::totals] = totals_to_json(compute_totals(result.layers));
  return json;
}

MaybeError write_result(const std::filesystem::path& path, const RunResult& result) {
  return write_json(path, result_to_json(result));
}

ResultTotals compute_totals(const std::vector<LayerResult>& layers) {
  ResultTotals totals;
  double objective = 0;
  double lower_bound = 0;
  bool all_objectives = !layers.empty();
  bool all_bounds = !layers.empty();
  for (const auto& layer : layers) {
    const auto repeat = static_cast<double>(layer.layer.repeat);
    ++totals.layers;
    all_objectives = all_objectives && layer.best.objective.has_value();
    all_bounds = all_bounds && layer.lower_bound.has_value();
    objective += repeat * layer.best.objective.value_or(0);
    lower_bound += repeat * layer.lower_bound.value_or(0);
    if (!layer.best.mapping) continue;
    ++totals.mapped;
    // The layer reader keeps this product far below an overflow.
    add_product(totals.macs, layer.layer.repeat * product_of(layer.layer.shape.bounds), 1);
    add_product(totals.latency_cycles, layer.layer.repeat, layer.best.latency_cycles.value_or(0));
    totals.energy_pj += repeat * layer.best.energy_pj.value_or(0);
  }
  totals.edp = totals.energy_pj * static_cast<double>(totals.latency_cycles);
  if (all_objectives) totals.objective = objective;
  if (all_bounds) totals.lower_bound = lower_bound;
  if (all_objectives && all_bounds && objective != 0) totals.gap = gap_between(objective, lower_bound);
  return totals;
}

void set_figures(LayerResult& layer, const cim::CimEvaluation& evaluation,
                 const NamedArchitecture& architecture, cim::LatencyModel model) {
  layer.best.latency_cycles = evaluation.cycles(model);
  layer.best.energy_pj = evaluation.total_energy_pj(architecture.machine, model);
  layer.best.edp = evaluation.edp(architecture.machine, model);
  const auto json = evaluation_to_json(evaluation, architecture);
  layer.usage_bits = json.at(key::usage_bits);
  layer.traffic_bits = json.at(key::traffic_bits);
}

void set_spent_cycles(LayerResult& layer, const cim::SpentCycles& spent,
                      const NamedArchitecture& architecture) {
  layer.spent_cycles = {{key::compute, spent.compute}};
  for (const auto& wait : spent.waits)
    layer.spent_cycles[fmt::format("{}/{}", architecture.memory_names[wait.memory], letter(wait.operand))] =
        wait.cycles;
}

ResultWriter::ResultWriter(std::filesystem::path path, RunResult result)
    : file_(std::move(path)), result_(std::move(result)), finished_(result_.layers.size(), false) {
  result_.complete = false;
}

MaybeError ResultWriter::finish_layer(std::size_t index, LayerResult layer) {
  result_.layers.at(index) = std::move(layer);
  finished_.at(index) = true;
  file_.fall_behind();
  return catch_up();
}

MaybeError ResultWriter::catch_up() {
  return file_.catch_up([this] {
    RunResult written = result_;
    written.layers.clear();
    for (std::size_t i = 0; i < finished_.size(); ++i)
      if (finished_[i]) written.layers.push_back(result_.layers[i]);
    return to_text(result_to_json(written));
  });
}

MaybeError ResultWriter::finish() {
  result_.complete = true;
  return file_.finish([this] { return to_text(result_to_json(result_)); });
}

}  // namespace nestor::io
