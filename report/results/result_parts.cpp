#include "report/results/result_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/checked.h"
#include "io/vocabulary.h"
#include "report/results/node_json.h"
#include "solver/search/tolerance.h"

namespace nestor::io {

void add_product(Int& sum, Int a, Int b) {
  const auto product = checked_multiply(a, b);
  sum = (product ? checked_add(sum, *product) : std::nullopt).value_or(std::numeric_limits<Int>::max());
}

std::string members_text(const OptionTexts& options) {
  std::string text = "exact divisors";
  bool is_fixed = false;
  for (const auto& [name, value] : options) {
    if (name == "pad" && value == "auto") text = "bounds padded to multiples of 2, 4 or 8";
    if (name == "pad" && value != "auto" && value != "0")
      text = fmt::format("bounds padded by at most {} %", value);
    if (name == "remainder") text += ", layers cut in two where that costs less";
    if (name == "factors" && value == "flexible") text += ", some merged";
    if (name == "method" && value != "optimal") text += fmt::format(", {}", value);
    is_fixed |= name == "fix";
  }
  return is_fixed ? text + ", with the constraints of --fix" : text;
}

bool has_members(const RunHead& run) {
  const auto is_baseline = [](const auto& option) {
    return option.first == "method" && option.second != "optimal";
  };
  return run.verb == "map" && std::none_of(run.options.begin(), run.options.end(), is_baseline);
}

Json run_head_to_json(const RunHead& run, Json architecture) {
  Json json = head_to_json(run);
  json[key::architecture] = std::move(architecture);
  json[key::network] = run.network;
  if (has_members(run)) json[key::members] = members_text(run.options);
  json[key::complete] = run.complete;
  if (!run.constraints.is_null()) json[key::constraints] = run.constraints;
  return json;
}

void read_run_head(const MapReader& top, RunHead& run, Reading& reading) {
  read_head(top, run, reading);
  run.network = top.text(key::network, run.network);
  run.complete = top.flag(key::complete, run.complete);
  if (const auto constraints = top.find(key::constraints)) run.constraints = node_to_json(*constraints);
}

void put_padded(Json& json, const MappedBounds& mapped) {
  if (!mapped.padded) return;
  auto& padded = json[key::padded] = Json::object();
  for (const Dim dim : all_dims)
    if (const Int bound = (*mapped.padded)[index_of(dim)]; bound != 1)
      padded[std::string(1, letter(dim))] = bound;
}

MappedBounds read_padded(const MapReader& map, Reading& reading) {
  const auto node = map.find(key::padded);
  if (!node) return {};
  constexpr Int most_products = Int{1} << 56;  // limit as in a layer file
  const MapReader fields(*node, "padded", dim_words, reading);
  Extents bounds = unit_extents;
  Int products = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    bounds[d] = fields.integer(dim_words[d], {1, Int{1} << 31}, 1);
    products = checked_multiply(products, bounds[d]).value_or(most_products + 1);
    if (products > most_products) {
      reading.fail(*node, "padded has more than 2^56 multiply-accumulates");
      return {};
    }
  }
  return {bounds};
}

void put_optimum_totals(const Json& optimum, Json& totals) {
  for (const char* const key : {key::latency_cycles, key::energy_pj, key::edp}) totals[key] = optimum[key];
  for (const char* const key : {key::objective, key::lower_bound, key::gap, key::edp_sum}) totals.erase(key);
  if (!optimum.contains(key::value)) return;
  totals[key::objective] = optimum[key::value];
  if (!optimum.contains(key::lower_bound)) return;
  totals[key::lower_bound] = optimum[key::lower_bound];
  const double value = optimum[key::value].get<double>();
  if (value != 0) totals[key::gap] = gap_between(value, optimum[key::lower_bound].get<double>());
}

void put_network_optimum(Json& json, const RunHead& run) {
  if (!run.optimum) return;
  const auto& optimum = *run.optimum;
  auto& written = json[key::network_optimum] = {{key::objective, optimum.objective},
                                                {key::status, to_string(optimum.status)}};
  if (optimum.value) written[key::value] = *optimum.value;
  if (optimum.lower_bound) written[key::lower_bound] = *optimum.lower_bound;
  if (optimum.layers.empty()) return;
  written[key::latency_cycles] = optimum.latency_cycles;
  written[key::energy_pj] = optimum.energy_pj;
  written[key::edp] = optimum.energy_pj * static_cast<double>(optimum.latency_cycles);
  put_optimum_totals(written, json[key::totals]);
  auto& layers = written[key::layers] = Json::array();
  for (const auto& layer : optimum.layers) {
    auto points = Json::array();
    for (const auto& point : layer.points)
      points.push_back({{key::front_index, point.front_index + 1}, {key::copies, point.copies}});
    layers.push_back({{key::name, layer.name}, {key::points, std::move(points)}});
  }
}

std::optional<NetworkOptimum> read_network_optimum(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1'000'000;
  const auto node = top.find(key::network_optimum);
  if (!node) return std::nullopt;
  const MapReader map(*node, key::network_optimum, result_keys::network_optimum, reading);
  NetworkOptimum optimum;
  optimum.objective = map.text(key::objective, "");
  optimum.status = map.word(key::status, statuses);
  const auto number = [&](const char* key) -> std::optional<double> {
    if (!map.find(key)) return std::nullopt;
    return map.number(key, std::numeric_limits<double>::lowest(), 0);
  };
  optimum.value = number(key::value);
  optimum.lower_bound = number(key::lower_bound);
  optimum.latency_cycles = map.integer(key::latency_cycles, {0}, 0);
  optimum.energy_pj = map.number(key::energy_pj, 0, 0);
  if (!map.find(key::layers)) return optimum;
  for (const auto& layer_node : map.list(key::layers, 0, most)) {
    const MapReader layer_map(layer_node, "layer", result_keys::chosen_layer, reading);
    auto& layer = optimum.layers.emplace_back();
    layer.name = layer_map.text(key::name, "");
    for (const auto& point_node : layer_map.list(key::points, 1, most)) {
      const MapReader point(point_node, "point", result_keys::chosen_point, reading);
      layer.points.push_back({static_cast<std::size_t>(point.integer(key::front_index, {1})) - 1,
                              point.integer(key::copies, {1})});
    }
    if (reading.failed()) break;
  }
  return optimum;
}

void TotalsSum::add_layer(const Layer& layer, const std::optional<double>& objective,
                          const std::optional<double>& bound) {
  const auto repeat = static_cast<double>(layer.repeat);
  ++sums_.layers;
  all_objectives_ = all_objectives_ && objective;
  all_bounds_ = all_bounds_ && bound;
  objective_ += repeat * objective.value_or(0);
  bound_ += repeat * (edp_ ? std::sqrt(std::max(bound.value_or(0), 0.0)) : bound.value_or(0));
}

void TotalsSum::add_mapping(const Layer& layer, Int cycles, double energy_pj) {
  ++sums_.mapped;
  // The layer reader limits this product far below an overflow.
  add_product(sums_.macs, layer.repeat * product_of(layer.shape.bounds), 1);
  add_product(sums_.latency_cycles, layer.repeat, cycles);
  sums_.energy_pj += static_cast<double>(layer.repeat) * energy_pj;
}

ResultTotals TotalsSum::totals() const {
  ResultTotals totals = sums_;
  totals.edp = totals.energy_pj * static_cast<double>(totals.latency_cycles);
  if (totals.layers == 0) return totals;
  if (all_objectives_) totals.objective = edp_ ? totals.edp : objective_;
  if (all_bounds_) totals.lower_bound = edp_ ? bound_ * bound_ : bound_;
  if (all_objectives_ && edp_) totals.edp_sum = objective_;
  if (totals.objective && totals.lower_bound && *totals.objective != 0)
    totals.gap = gap_between(*totals.objective, *totals.lower_bound);
  return totals;
}

Json unmapped_to_json(const std::vector<UnmappedOperator>& unmapped) {
  Json list = Json::array();
  for (const auto& op : unmapped) list.push_back({{key::type, op.type}, {key::count, op.count}});
  return list;
}

std::vector<UnmappedOperator> read_unmapped(const MapReader& top, Reading& reading) {
  constexpr std::size_t most = 1'000'000;
  std::vector<UnmappedOperator> unmapped;
  const auto node = top.find(key::unmapped);
  if (!node) return unmapped;
  for (const auto& entry : read_list(*node, key::unmapped, 0, most, reading)) {
    const MapReader map(entry, "unmapped operator", result_keys::unmapped, reading);
    unmapped.push_back({map.title(key::type), map.integer(key::count, {0})});
    if (reading.failed()) break;
  }
  return unmapped;
}

TieBreakResult read_tie_break(const Node& node, Reading& reading) {
  const MapReader map(node, "tie_break", result_keys::tie_break, reading);
  constexpr std::array<std::string_view, 2> words = {"energy", "latency"};
  TieBreakResult ties;
  ties.objective = words[map.word(key::objective, words)];
  ties.status = map.word(key::status, statuses);
  ties.lower_bound = map.number(key::lower_bound, std::numeric_limits<double>::lowest(), 0);
  ties.nodes = map.integer(key::nodes, {0}, 0);
  ties.seconds = map.number(key::seconds, 0, 0);
  return ties;
}

SearchStatistics read_search(const Node& node, std::span<const std::string_view> keys, Reading& reading) {
  constexpr IntRange counts = {0};
  const MapReader map(node, "search", keys, reading);
  const auto count = [&](const char* key) { return static_cast<std::uint64_t>(map.integer(key, counts, 0)); };
  SearchStatistics search;
  search.counts.expanded = count(key::nodes);
  search.counts.generated = count(key::labels);
  search.branches = count(key::choices);
  search.seconds = map.number(key::seconds, 0, 0);
  if (const auto pruned = map.find(key::pruned)) {
    constexpr std::size_t most_causes = 1000;
    if (!pruned->is_map() || pruned->size() > most_causes)
      reading.fail(*pruned, fmt::format("pruned is {}, expected a map of at most {} keys", pruned->describe(),
                                        most_causes));
    for (std::size_t i = 0; i < pruned->size() && !reading.failed(); ++i) {
      const auto number =
          static_cast<std::uint64_t>(read_integer(pruned->value(i), "count", counts, reading));
      if (pruned->key(i).text() == key::bound) search.counts.cut = number;
      if (pruned->key(i).text() == key::dominated) search.counts.dominated = number;
    }
  }
  constexpr std::size_t most_incumbents = 1'000'000;
  const auto list = map.find(key::incumbents);
  const auto entries = list ? map.list(key::incumbents, 0, most_incumbents) : std::vector<Node>();
  for (const auto& entry : entries) {
    const MapReader incumbent(entry, "incumbent", result_keys::incumbent, reading);
    constexpr double least = std::numeric_limits<double>::lowest();
    search.incumbents.push_back(
        {incumbent.number(key::seconds, 0, 0), incumbent.number(key::objective, least, 0),
         incumbent.integer(key::nodes, {-1}, -1), incumbent.number(key::lower_bound, least, no_bound)});
  }
  return search;
}

Json counts_to_json(const SearchCounts& counts) {
  return {{key::nodes, counts.expanded},
          {key::labels, counts.generated},
          {key::pruned, {{key::bound, counts.cut}, {key::dominated, counts.dominated}}}};
}

}  // namespace nestor::io
