#include "report/results/cim/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/cim/evaluation_json.h"

namespace nestor::io {
namespace {

// Returns a number as JSON. Integral values, such as cycles, are written without a decimal point.
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
  put_padded(json, point);
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
  if (layer.search) json[key::search] = search_to_json(*layer.search, number);
  if (layer.ties) json[key::tie_break] = tie_break_to_json(*layer.ties, number);
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

}  // namespace

Json result_to_json(const RunResult& result) {
  Json json = run_head_to_json(result, architecture_to_json(result.architecture));
  auto& layers = json[key::layers] = Json::array();
  for (const auto& layer : result.layers) layers.push_back(layer_result_to_json(layer, result.architecture));
  json[key::unmapped] = unmapped_to_json(result.unmapped);
  json[key::totals] = totals_to_json(compute_totals(result.layers, result.objective.name), number);
  put_network_optimum(json, result);
  return json;
}

MaybeError write_result(const std::filesystem::path& path, const RunResult& result) {
  return write_json(path, result_to_json(result));
}

ResultTotals compute_totals(const std::vector<LayerResult>& layers, std::string_view objective) {
  TotalsSum sum(objective);
  for (const auto& layer : layers) {
    sum.add_layer(layer.layer, layer.best.objective, layer.lower_bound);
    if (const auto* const point = layer.counted())
      sum.add_mapping(layer.layer, point->latency_cycles.value_or(0), point->energy_pj.value_or(0));
  }
  return sum.totals();
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

}  // namespace nestor::io
