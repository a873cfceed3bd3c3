// Reads the result files that result_file.h describes.
#include <fmt/format.h>

#include <limits>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "io/options.h"
#include "io/vocabulary.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"
#include "report/results/cim/result_file.h"
#include "report/results/node_json.h"

namespace nestor::io {
namespace {

namespace keys = result_keys;

constexpr IntRange count_range = {0};
constexpr std::size_t most_items = 1'000'000;

// The keys of a layer in a result, including those of a layer file.
std::vector<std::string_view> layer_record_keys() {
  auto all = layer_keys();
  all.insert(all.end(), keys::layer.begin(), keys::layer.end());
  return all;
}

constexpr auto change_keys = [] {
  std::array<std::string_view, keys::change.size() + keys::point.size()> all{};
  std::size_t count = 0;
  for (const auto key : keys::change) all[count++] = key;
  for (const auto key : keys::point) all[count++] = key;
  return all;
}();

class ResultReader {
 public:
  explicit ResultReader(Reading& reading) : reading_(reading) {}

  RunResult read(const Node& root) {
    const MapReader top(root, "result", keys::top, reading_);
    read_run_head(top, result_, reading_);
    check_latency_model(top);
    if (const auto architecture = top.require(key::architecture))
      result_.architecture = read_architecture_node(*architecture, reading_);
    for (const auto& layer : top.list(key::layers, 0, most_items)) {
      if (reading_.failed()) break;
      read_layer(layer);
    }
    result_.unmapped = read_unmapped(top, reading_);
    if (const auto totals = top.find(key::totals)) MapReader(*totals, "totals", keys::totals, reading_);
    result_.optimum = read_network_optimum(top, reading_);
    return std::move(result_);
  }

 private:
  // Checks the latency model. Without one, the default remains.
  void check_latency_model(const MapReader& top) {
    const auto objective = top.find(key::objective);
    if (const auto model = objective ? objective->find(key::latency_model) : std::nullopt)
      read_word(*model, "latency_model", latency_models.words, reading_);
    else
      result_.objective.latency_model = RunResult().objective.latency_model;
  }

  std::vector<Node> optional_list(const MapReader& map, std::string_view key) {
    const auto node = map.find(key);
    return node ? read_list(*node, key, 0, most_items, reading_) : std::vector<Node>{};
  }

  std::optional<double> optional_number(const MapReader& map, std::string_view key) {
    const auto node = map.find(key);
    if (!node) return std::nullopt;
    return read_number(*node, key, std::numeric_limits<double>::lowest(), reading_);
  }

  std::optional<Int> optional_count(const MapReader& map, std::string_view key) {
    const auto node = map.find(key);
    if (!node) return std::nullopt;
    return read_integer(*node, key, count_range, reading_);
  }

  Json optional_json(const MapReader& map, std::string_view key) {
    const auto node = map.find(key);
    if (!node) return {};
    if (!node->is_map()) reading_.fail(*node, fmt::format("{} is {}, expected a map", key, node->describe()));
    return node_to_json(*node);
  }

  MappedPoint read_point_fields(const MapReader& map) {
    MappedPoint point;
    point.objective = optional_number(map, key::objective);
    point.latency_cycles = optional_count(map, key::latency_cycles);
    point.energy_pj = optional_number(map, key::energy_pj);
    point.edp = optional_number(map, key::edp);
    if (const auto mapping = map.find(key::mapping))
      point.mapping = read_mapping_node(*mapping, result_.architecture, reading_);
    static_cast<MappedBounds&>(point) = read_padded(map, reading_);
    return point;
  }

  std::vector<MappedPoint> read_points(const MapReader& map, std::string_view key) {
    std::vector<MappedPoint> points;
    for (const auto& node : optional_list(map, key)) {
      if (reading_.failed()) break;
      points.push_back(
          read_point_fields(MapReader(node, std::string(key) + " entry", keys::point, reading_)));
    }
    return points;
  }

  std::optional<ResourceChange<MappedPoint>> read_change(const MapReader& map, std::string_view key) {
    const auto node = map.find(key);
    if (!node) return std::nullopt;
    const MapReader fields(*node, std::string(key), change_keys, reading_);
    ResourceChange<MappedPoint> change;
    change.amount = fields.integer(key::amount, {1});
    change.status = fields.word(key::status, statuses);
    change.lower_bound = optional_number(fields, key::lower_bound);
    change.gain = fields.number(key::gain, 0, 0);
    change.best = read_point_fields(fields);
    return change;
  }

  ResourceRecord read_resource(const Node& node) {
    const MapReader map(node, "resource", keys::resource, reading_);
    ResourceRecord record;
    record.resource.kind = map.word(key::resource, cim_resource_kinds);
    record.resource.name = map.text(key::name, "");
    record.amount = map.integer(key::amount, {1});
    record.used.share = map.number(key::used, 0, 0);
    if (const auto operand = map.find(key::operand))
      record.used.busiest = all_operands[read_word(*operand, "operand", operand_words, reading_)];
    record.binding = map.word(key::binds, bindings);
    record.step = read_change(map, key::step);
    record.most = read_change(map, key::most);
    return record;
  }

  void read_layer(const Node& node) {
    const MapReader map(node, "layer", layer_record_keys(), reading_);
    LayerResult layer;
    layer.layer = read_layer_fields(map, fmt::format("layer{}", result_.layers.size() + 1), {}, reading_);
    layer.same_as = map.text(key::same_as, "");
    if (const auto status = map.find(key::status))
      layer.status = read_word(*status, "status", statuses, reading_);
    layer.lower_bound = optional_number(map, key::lower_bound);
    layer.claimed_objective = optional_number(map, key::claimed_objective);
    layer.gap = optional_number(map, key::gap);
    layer.best = read_point_fields(map);
    if (map.find(key::usage_bits)) layer.usage_bits = optional_json(map, key::usage_bits);
    if (map.find(key::traffic_bits)) layer.traffic_bits = optional_json(map, key::traffic_bits);
    if (map.find(key::spent_cycles)) layer.spent_cycles = optional_json(map, key::spent_cycles);
    if (const auto search = map.find(key::search))
      layer.search = read_search(*search, keys::search, reading_);
    if (const auto ties = map.find(key::tie_break)) layer.ties = read_tie_break(*ties, reading_);
    layer.alternatives = read_points(map, key::alternatives);
    layer.front = read_points(map, key::front);
    for (const auto& entry : optional_list(map, key::resources)) {
      if (reading_.failed()) break;
      layer.resources.push_back(read_resource(entry));
    }
    layer.evaluation = optional_json(map, key::evaluation);
    layer.replay_cycles = optional_count(map, key::replay_cycles);
    layer.stalls = optional_json(map, key::stalls);
    result_.layers.push_back(std::move(layer));
  }

  Reading& reading_;
  RunResult result_;
};

}  // namespace

RunResult read_result_node(const Node& root, Reading& reading) { return ResultReader(reading).read(root); }

Result<RunResult> parse_result(std::string_view text, const std::string& file) {
  const auto document = Document::parse(text, file, result_limits);
  if (!document) return document.error();
  if (auto error = check_schema(document->root())) return *error;
  Reading reading;
  auto result = read_result_node(document->root(), reading);
  if (reading.failed()) return reading.error();
  return result;
}

Result<RunResult> read_result(const std::string& path) {
  const auto text = read_file(path, result_limits.bytes);
  if (!text) return text.error();
  return parse_result(*text, path);
}

}  // namespace nestor::io
