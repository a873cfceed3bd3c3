#include "report/results/pim/result_file.h"

#include <fmt/format.h>

#include <cmath>

#include "io/layer_file.h"
#include "report/keys/common.h"
#include "report/keys/machine.h"
#include "report/keys/pim.h"
#include "solver/search/tolerance.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::PimEvaluation;
using nestor::pim::PimMapping;

std::string letter_of(Operand operand) { return std::string(1, letter(operand)); }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void put(Json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = number(*value);
}

// Writes the known parts of a cost and a mapping.
void put_point(Json& json, const MappedPimPoint& point, const NamedPimMachine& machine,
               const LayerShape& layer) {
  if (point.evaluation) {
    const double energy = point.evaluation->total_energy_pj(machine.machine);
    json[key::latency_cycles] = point.evaluation->latency_cycles;
    json[key::energy_pj] = number(energy);
    json[key::edp] = number(energy * static_cast<double>(point.evaluation->latency_cycles));
    json[key::dataflow] = to_string(dataflow_of(point.nest(layer), machine.machine, *point.mapping));
  }
  if (point.mapping) json[key::mapping] = mapping_to_json(*point.mapping, machine);
  put_padded(json, point);
  if (point.evaluation)
    json[key::evaluation] = evaluation_to_json(*point.evaluation, *point.mapping, machine);
}

Json points_to_json(const std::vector<MappedPimPoint>& points, const NamedPimMachine& machine,
                    const LayerShape& layer) {
  Json list = Json::array();
  for (const auto& point : points) {
    Json json = Json::object();
    put_point(json, point, machine, layer);
    put(json, key::objective, point.objective);
    list.push_back(std::move(json));
  }
  return list;
}

Json rows_to_json(const PimEvaluation& evaluation) {
  Json rows = Json::object();
  for (const Operand operand : all_operands)
    rows[letter_of(operand)] = evaluation.row_activations[index_of(operand)];
  return rows;
}

Json layer_json(const LayerRecord& record, const NamedPimMachine& machine) {
  const auto& shape = record.layer.shape;
  const auto& objective = record.best.objective;
  Json json = layer_to_json(record.layer);
  if (record.status) json[key::status] = to_string(*record.status);
  put(json, key::objective, objective);
  put(json, key::claimed_objective, record.claimed_objective);
  put(json, key::lower_bound, record.lower_bound);
  if (objective && record.lower_bound) json[key::gap] = number(gap_between(*objective, *record.lower_bound));
  put_point(json, record.best, machine, shape);
  if (record.search) {
    json[key::search] = search_to_json(*record.search, number);
    json[key::search][key::choices] = record.search->branches;
  }
  if (record.ties) json[key::tie_break] = tie_break_to_json(*record.ties, number);
  if (!record.alternatives.empty())
    json[key::alternatives] = points_to_json(record.alternatives, machine, shape);
  if (!record.front.empty()) json[key::front] = points_to_json(record.front, machine, shape);
  if (!record.resources.empty())
    json[key::resources] =
        resources_to_json(record.resources, number, [&](Json& change, const MappedPimPoint& point) {
          if (!point.evaluation) return;
          change[key::latency_cycles] = point.evaluation->latency_cycles;
          change[key::energy_pj] = number(point.evaluation->total_energy_pj(machine.machine));
          change[key::mapping] = mapping_to_json(*point.mapping, machine);
          put_padded(change, point);
        });
  if (record.replay_cycles) json[key::replay_cycles] = *record.replay_cycles;
  if (!record.replay.is_null()) json[key::replay] = record.replay;
  for (std::size_t i = 0; i < record.row_models.size(); ++i)
    json[key::row_models][std::string(nestor::pim::row_models.word(static_cast<nestor::pim::RowModel>(i)))] =
        {{key::latency_cycles, record.row_models[i].latency_cycles},
         {key::row_activations, rows_to_json(record.row_models[i])}};
  return json;
}

constexpr std::array<std::string_view, 17> run_keys = {
    key::schema,       key::version,      key::space,    key::verb,    key::options,        key::inputs,
    key::objective,    key::architecture, key::network,  key::members, key::complete,       key::constraints,
    key::bypass_table, key::layers,       key::unmapped, key::totals,  key::network_optimum};
constexpr std::array<std::string_view, 20> figure_keys = {
    key::claimed_objective, key::status,        key::objective, key::lower_bound,  key::gap,
    key::latency_cycles,    key::energy_pj,     key::edp,       key::dataflow,     key::mapping,
    key::evaluation,        key::search,        key::tie_break, key::alternatives, key::front,
    key::resources,         key::replay_cycles, key::replay,    key::padded,       key::row_models};

constexpr std::array<std::string_view, 6> search_keys = {key::nodes,   key::labels,  key::pruned,
                                                         key::choices, key::seconds, key::incumbents};
constexpr std::array<std::string_view, 8> point_keys = {key::latency_cycles, key::energy_pj, key::edp,
                                                        key::dataflow,       key::mapping,   key::evaluation,
                                                        key::objective,      key::padded};

std::vector<MappedPimPoint> read_points(const MapReader& layer, const char* key,
                                        const NamedPimMachine& machine, Reading& reading) {
  constexpr std::size_t most_points = 100000;
  std::vector<MappedPimPoint> points;
  if (!layer.find(key)) return points;
  for (const auto& node : layer.list(key, 0, most_points)) {
    const MapReader point(node, "point", point_keys, reading);
    if (const auto mapping = point.require(key::mapping))
      points.emplace_back().mapping = read_mapping_node(*mapping, machine, reading);
    if (!points.empty()) static_cast<MappedBounds&>(points.back()) = read_padded(point, reading);
    if (reading.failed()) break;
  }
  return points;
}

LayerRecord read_layer(const Node& node, std::size_t number, const NamedPimMachine& machine,
                       Reading& reading) {
  auto keys = layer_keys();
  keys.insert(keys.end(), figure_keys.begin(), figure_keys.end());
  const MapReader map(node, "layer", keys, reading);
  LayerRecord record;
  record.layer = read_layer_fields(map, fmt::format("layer{}", number + 1), {}, reading);
  if (record.layer.shape.bound(Dim::G) != 1)
    reading.fail(node, "PIM machines have no dimension G, expected layers without G");
  if (const auto mapping = map.find(key::mapping))
    record.best.mapping = read_mapping_node(*mapping, machine, reading);
  static_cast<MappedBounds&>(record.best) = read_padded(map, reading);
  if (const auto search = map.find(key::search)) record.search = read_search(*search, search_keys, reading);
  if (const auto ties = map.find(key::tie_break)) record.ties = read_tie_break(*ties, reading);
  record.alternatives = read_points(map, key::alternatives, machine, reading);
  record.front = read_points(map, key::front, machine, reading);
  return record;
}

}  // namespace

namespace {

// Returns the used shares of lanes, of capacity and of bandwidth. Only limited memories that contain
// something, and only bandwidth that is used, are listed.
Json utilisation_to_json(const PimEvaluation& evaluation, const PimMapping& mapping,
                         const NamedPimMachine& named) {
  Json capacity = Json::object(), bandwidth = Json::object();
  for (std::size_t m = 0; m < named.memory_names.size(); ++m) {
    const Memory& memory = named.machine.memories[m];
    const Int used = evaluation.usage_bits[m];
    if (used > 0 && memory.capacity != unlimited_capacity)
      capacity[named.memory_names[m]] = static_cast<double>(used) / static_cast<double>(memory.capacity);
    const double share = nestor::pim::bandwidth_share(memory, evaluation, m);
    if (share > 0) bandwidth[named.memory_names[m]] = share;
  }
  return {{key::lanes, nestor::pim::lane_share(named.machine, mapping)},
          {key::capacity, std::move(capacity)},
          {key::bandwidth, std::move(bandwidth)}};
}

}  // namespace

Json evaluation_to_json(const PimEvaluation& evaluation, const PimMapping& mapping,
                        const NamedPimMachine& named) {
  const auto& names = named.memory_names;
  const auto& machine = named.machine;
  Json json = {{key::latency_cycles, evaluation.latency_cycles},
               {key::latency_per_operand, evaluation.latency_per_operand},
               {key::latency_shared, evaluation.latency_shared},
               {key::compute_cycles, evaluation.compute_cycles}};
  Json cycles = Json::object(), bits = Json::object(), transfers = Json::object();
  Json energy = Json::object(), sizes = Json::object(), usage = Json::object(), blocks = Json::object();
  energy[key::compute] = number(evaluation.compute_energy_pj);
  for (std::size_t m = 0; m < names.size(); ++m) {
    cycles[names[m]] = {{key::per_operand, evaluation.memory_cycles[m].per_operand},
                        {key::shared, evaluation.memory_cycles[m].shared}};
    if (machine.memories[m].row > 0 && machine.memories[m].activation_energy > 0)
      energy[names[m] + "/activation"] = number(evaluation.activation_energy_pj);
    for (const auto operand : all_operands) {
      const auto x = index_of(operand);
      if (!evaluation.used[m].contains(operand)) continue;
      const auto key = fmt::format("{}/{}", names[m], letter(operand));
      bits[key] = evaluation.bits[m][x];
      energy[key] = number(evaluation.memory_energy_pj[m][x]);
      if (evaluation.times[m][x] > 0)
        transfers[fmt::format("{}/{}", names[evaluation.source[m][x]], key)] = evaluation.times[m][x];
      if (m != machine.home(operand)) sizes[key] = evaluation.size_bits[m][x];
    }
    if (evaluation.usage_bits[m] > 0) usage[names[m]] = evaluation.usage_bits[m];
  }
  for (const auto operand : all_operands) {
    Json list = Json::array();
    for (const auto& loop : mapping.nest.loops) list.push_back(names[loop.at[index_of(operand)]]);
    blocks[letter_of(operand)] = std::move(list);
  }
  json[key::memory_cycles] = std::move(cycles);
  json[key::row_activations] = rows_to_json(evaluation);
  json[key::bits] = std::move(bits);
  json[key::transfers] = std::move(transfers);
  json[key::energy_pj] = number(evaluation.energy_pj);
  json[key::edp] = number(evaluation.edp());
  json[key::energy] = std::move(energy);
  json[key::sizes_bits] = std::move(sizes);
  json[key::usage_bits] = std::move(usage);
  json[key::utilisation] = utilisation_to_json(evaluation, mapping, named);
  json[key::blocks] = std::move(blocks);
  return json;
}

Json bypass_table_to_json(const nestor::pim::StoredPairs& stored, const NamedPimMachine& machine) {
  Json table = Json::object();
  for (std::size_t m = 0; m < machine.memory_names.size(); ++m) {
    auto operands = Json::array();
    for (const Operand operand : all_operands)
      if (stored[m].contains(operand)) operands.push_back(letter_of(operand));
    if (!operands.empty()) table[machine.memory_names[m]] = std::move(operands);
  }
  return table;
}

ResultTotals compute_totals(const RunRecord& run) {
  TotalsSum sum(run.objective.name);
  for (const auto& record : run.layers) {
    const auto& bound = record.lower_bound;
    sum.add_layer(record.layer, record.best.objective, bound && std::isfinite(*bound) ? bound : std::nullopt);
    if (const auto& evaluation = record.best.evaluation)
      sum.add_mapping(record.layer, evaluation->latency_cycles,
                      evaluation->total_energy_pj(run.machine.machine));
  }
  return sum.totals();
}

Json run_to_json(const RunRecord& run) {
  Json json = run_head_to_json(run, machine_to_json(run.machine));
  if (run.table) json[key::bypass_table] = bypass_table_to_json(*run.table, run.machine);
  auto& layers = json[key::layers] = Json::array();
  for (const auto& record : run.layers) layers.push_back(layer_json(record, run.machine));
  json[key::unmapped] = unmapped_to_json(run.unmapped);
  json[key::totals] = totals_to_json(compute_totals(run), number);
  put_network_optimum(json, run);
  return json;
}

Result<RunRecord> read_run(const std::string& path) {
  const auto document = Document::read(path, result_limits);
  if (!document) return document.error();
  if (auto error = check_schema(document->root())) return *error;
  Reading reading;
  RunRecord run;
  const MapReader top(document->root(), "result", run_keys, reading);
  read_run_head(top, run, reading);
  if (const auto architecture = top.require(key::architecture))
    run.machine = read_machine_node(*architecture, reading);
  if (reading.failed()) return reading.error();
  constexpr std::size_t most_layers = 100000;
  for (const auto& layer : top.list(key::layers, 0, most_layers)) {
    run.layers.push_back(read_layer(layer, run.layers.size(), run.machine, reading));
    if (reading.failed()) return reading.error();
  }
  run.unmapped = read_unmapped(top, reading);
  run.optimum = read_network_optimum(top, reading);
  if (reading.failed()) return reading.error();
  return run;
}

}  // namespace nestor::io::pim
