// Parts of results that all spaces or all loop-nest spaces share: the keys of the run, a layer with its
// search and its resources, and totals. A space adds its own parts and its points, which are mappings with
// their costs.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "base/status.h"
#include "model/loopnest/space/resource_report.h"
#include "model/loopnest/space/search_statistics.h"
#include "model/workload/network.h"
#include "report/keys/common.h"
#include "report/results/result_head.h"

namespace nestor::io {

/// Adds a * b to `sum`, up to the largest Int, because figures in a file can have any value.
void add_product(Int& sum, Int a, Int b);

/// The statuses that results contain.
inline constexpr auto statuses = [] {
  EnumWords<Status, 9> table{
      {Status::optimal, Status::gap_reached, Status::time_limit, Status::work_limit, Status::memory_limit,
       Status::interrupted, Status::infeasible, Status::heuristic, Status::imported},
      {}};
  for (std::size_t i = 0; i < table.values.size(); ++i) table.words[i] = to_string(table.values[i]);
  return table;
}();

namespace result_keys {
inline constexpr std::array<std::string_view, 2> unmapped = {key::type, key::count};
inline constexpr std::array<std::string_view, 10> totals = {
    key::layers,    key::mapped,      key::macs, key::latency_cycles, key::energy_pj, key::edp,
    key::objective, key::lower_bound, key::gap,  key::edp_sum};
inline constexpr std::array<std::string_view, 8> network_optimum = {
    key::objective,      key::status,    key::value, key::lower_bound,
    key::latency_cycles, key::energy_pj, key::edp,   key::layers};
inline constexpr std::array<std::string_view, 2> chosen_layer = {key::name, key::points};
inline constexpr std::array<std::string_view, 2> chosen_point = {key::front_index, key::copies};
inline constexpr std::array<std::string_view, 5> search = {key::nodes, key::labels, key::pruned, key::seconds,
                                                           key::incumbents};
inline constexpr std::array<std::string_view, 4> incumbent = {key::seconds, key::objective, key::nodes,
                                                              key::lower_bound};
inline constexpr std::array<std::string_view, 5> tie_break = {key::objective, key::status, key::lower_bound,
                                                              key::nodes, key::seconds};
}  // namespace result_keys

/// The choice of `map --scope network`: for every layer, the points of its front that optimise the objective
/// of the totals.
struct NetworkOptimum {
  struct Point {
    std::size_t front_index = 0;  ///< counted from 0; in files and output from 1
    Int copies = 0;               ///< number of the layer's repeats that use the point
  };
  struct ChosenLayer {
    std::string name;
    std::vector<Point> points;  ///< several points only under a limit
  };
  Status status = Status::optimal;
  std::string objective;  ///< name of the objective
  std::optional<double> value;
  std::optional<double> lower_bound;
  Int latency_cycles = 0;
  double energy_pj = 0;
  std::vector<ChosenLayer> layers;  ///< choices, or empty if nothing was chosen
};

/// The identity of a run in a loop-nest space.
struct RunHead : ResultHead {
  std::string network;
  bool complete = true;        ///< false during a run
  Json constraints = nullptr;  ///< content of the file of --fix
  std::optional<NetworkOptimum> optimum = std::nullopt;
};

/// The bounds of the nest that is mapped, if --pad made them larger than the layer's. All figures refer to
/// this nest.
struct MappedBounds {
  std::optional<Extents> padded = std::nullopt;

  LayerShape nest(LayerShape shape) const {
    if (padded) shape.bounds = *padded;
    return shape;
  }
  /// Returns the bounds for a mapping of `nest`. `bounds` are the layer's bounds.
  static MappedBounds of(const LayerShape& nest, const Extents& bounds) {
    return nest.bounds == bounds ? MappedBounds() : MappedBounds{nest.bounds};
  }
};
void put_padded(Json& json, const MappedBounds& mapped);
/// Reads the optional `padded` of a map.
MappedBounds read_padded(const MapReader& map, Reading& reading);
/// The secondary cost among mappings of equal objective. It is proved to be minimal if the status is optimal.
struct TieBreakResult {
  std::string objective;  ///< "energy" or "latency"
  Status status = Status::optimal;
  double lower_bound = 0;
  Int nodes = 0;
  double seconds = 0;
};

template <typename Point>
struct LayerFindings {
  Layer layer;
  std::optional<Status> status;
  std::optional<double> lower_bound;
  std::optional<double> claimed_objective;  ///< objective claimed for an imported mapping
  Point best;
  std::optional<SearchStatistics> search;
  std::optional<TieBreakResult> ties;
  std::vector<Point> alternatives;            ///< next best mappings, in order
  std::vector<Point> front;                   ///< latency-energy Pareto front, by latency
  std::vector<NamedReport<Point>> resources;  ///< findings for each resource, if requested
  std::optional<Int> replay_cycles;           ///< cycles replayed by simulate
};

/// Returns the set of mappings that a search covers, in words: "exact divisors", "bounds padded by at most 5
/// %".
std::string members_text(const OptionTexts& options);
/// Sums over the layers, each multiplied by its repeat. `edp` is total energy times total latency. It is also
/// the objective of a run that minimised the layers' EDPs, whereas `edp_sum` is the sum of the layers' EDPs.
struct ResultTotals {
  Int layers = 0;
  /// Number of layers with a mapping. The figures from `macs` to `edp` cover only these layers.
  Int mapped = 0;
  Int macs = 0;
  Int latency_cycles = 0;
  double energy_pj = 0;
  double edp = 0;
  std::optional<double> objective;    ///< present if every layer has one
  std::optional<double> lower_bound;  ///< present if every layer has one
  std::optional<double> gap;
  std::optional<double> edp_sum;
};

/// Sums up layers. The EDP of a network is its total energy times its total latency, not the sum of the
/// layers' EDPs. By the Cauchy-Schwarz inequality, the EDP of the network is at least the square of the sum
/// of the square roots of the layers' bounds.
class TotalsSum {
 public:
  explicit TotalsSum(std::string_view objective) : edp_(objective == "edp") {}
  void add_layer(const Layer& layer, const std::optional<double>& objective,
                 const std::optional<double>& bound);
  /// Adds the figures of the layer's mapping. They are those of a single repeat of the layer.
  void add_mapping(const Layer& layer, Int cycles, double energy_pj);
  ResultTotals totals() const;

 private:
  bool edp_;
  bool all_objectives_ = true;
  bool all_bounds_ = true;
  double objective_ = 0;
  double bound_ = 0;
  ResultTotals sums_;
};

/// Returns the totals as JSON. `number` formats a figure.
template <typename Number>
Json totals_to_json(const ResultTotals& totals, Number number) {
  Json json = {{key::layers, totals.layers},
               {key::mapped, totals.mapped},
               {key::macs, totals.macs},
               {key::latency_cycles, totals.latency_cycles},
               {key::energy_pj, number(totals.energy_pj)},
               {key::edp, number(totals.edp)}};
  if (totals.objective) json[key::objective] = number(*totals.objective);
  if (totals.lower_bound) json[key::lower_bound] = number(*totals.lower_bound);
  if (totals.gap) json[key::gap] = number(*totals.gap);
  if (totals.edp_sum) json[key::edp_sum] = number(*totals.edp_sum);
  return json;
}

Json unmapped_to_json(const std::vector<UnmappedOperator>& unmapped);
std::vector<UnmappedOperator> read_unmapped(const MapReader& top, Reading& reading);

/// True if a result states the set of mappings over which it is optimal. Only results of searches do.
bool has_members(const RunHead& run);

/// Returns the result without layers and totals: the head, the architecture, and the other keys of the run.
Json run_head_to_json(const RunHead& run, Json architecture);
/// Replaces the figures in `totals` by the figures of the choice in `optimum`.
void put_optimum_totals(const Json& optimum, Json& totals);
/// Writes `network_optimum`, if the run has one, and the totals of its choice.
void put_network_optimum(Json& json, const RunHead& run);
std::optional<NetworkOptimum> read_network_optimum(const MapReader& top, Reading& reading);

/// Reads the head and the other keys of the run. Absent keys leave `run` unchanged.
void read_run_head(const MapReader& top, RunHead& run, Reading& reading);

/// Returns the counts of expanded nodes, generated labels and pruned labels as JSON.
Json counts_to_json(const SearchCounts& counts);

/// Returns the statistics of a search as JSON. `number` formats a figure.
template <typename Number>
Json search_to_json(const SearchStatistics& search, Number number) {
  Json json = counts_to_json(search.counts);
  json[key::seconds] = search.seconds;
  auto& incumbents = json[key::incumbents] = Json::array();
  for (const auto& incumbent : search.incumbents) {
    Json entry = {{key::seconds, incumbent.seconds}, {key::objective, number(incumbent.objective)}};
    if (incumbent.nodes >= 0) entry[key::nodes] = incumbent.nodes;
    if (std::isfinite(incumbent.lower_bound)) entry[key::lower_bound] = number(incumbent.lower_bound);
    incumbents.push_back(std::move(entry));
  }
  return json;
}
/// Reads the statistics of a search, whose keys are those of the space.
SearchStatistics read_search(const Node& node, std::span<const std::string_view> keys, Reading& reading);

/// Returns the tie-break as JSON. `number` formats a figure.
template <typename Number>
Json tie_break_to_json(const TieBreakResult& ties, Number number) {
  return {{key::objective, ties.objective},
          {key::status, to_string(ties.status)},
          {key::lower_bound, number(ties.lower_bound)},
          {key::nodes, ties.nodes},
          {key::seconds, ties.seconds}};
}

TieBreakResult read_tie_break(const Node& node, Reading& reading);

/// Returns the resources as JSON. `number` formats a figure, and `put_point` writes the mapping of a change
/// after the objective.
template <typename Point, typename Number, typename PutPoint>
Json resources_to_json(const std::vector<NamedReport<Point>>& reports, Number number, PutPoint put_point) {
  const auto change_to_json = [&](const ResourceChange<Point>& change) {
    Json json = {{key::amount, change.amount}, {key::status, to_string(change.status)}};
    if (change.lower_bound) json[key::lower_bound] = number(*change.lower_bound);
    json[key::gain] = number(change.gain);
    if (change.best.objective) json[key::objective] = number(*change.best.objective);
    put_point(json, change.best);
    return json;
  };
  Json list = Json::array();
  for (const auto& report : reports) {
    Json json = {{key::resource, resource_kinds.word(report.resource.kind)}};
    if (!report.resource.name.empty()) json[key::name] = report.resource.name;
    json[key::amount] = report.amount;
    json[key::used] = number(report.used.share);
    if (report.used.busiest) json[key::operand] = std::string(1, letter(*report.used.busiest));
    json[key::binds] = bindings.word(report.binding);
    if (report.step) json[key::step] = change_to_json(*report.step);
    if (report.most) json[key::most] = change_to_json(*report.most);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace nestor::io
