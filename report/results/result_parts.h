// Parts of results that all spaces or all loop-nest spaces share: the keys of the run, a layer with its
// search and its resources, and totals. A space adds its own parts and its points, which are mappings with
// their costs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "base/status.h"
#include "io/layer_file.h"
#include "model/loopnest/space/resource_report.h"
#include "model/loopnest/space/search_statistics.h"
#include "model/workload/network.h"
#include "report/keys/common.h"
#include "report/results/output_fields.h"
#include "report/results/result_head.h"
#include "solver/search/tolerance.h"

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
void describe_padded(Fields& fields, MappedBounds& mapped);
void put_padded(Json& json, const MappedBounds& mapped);
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
  std::string same_as;  ///< an earlier layer of equal shape with the same result; empty if solved separately
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

Json totals_to_json(const ResultTotals& totals);
Json totals_schema();
/// Returns the totals with all figures as real numbers, which are compared with a tolerance.
Json measured_totals_to_json(const ResultTotals& totals);

Json unmapped_to_json(std::vector<UnmappedOperator> unmapped);

/// True if a result states the set of mappings over which it is optimal. Only results of searches do.
bool has_members(const RunHead& run);

/// The head and the other keys of a run up to its layers. Keys that a file lacks leave `run` unchanged.
void describe_run_head(Fields& fields, RunHead& run, Description architecture);
/// Returns these keys of a run as JSON.
Json run_head_to_json(RunHead run, const Json& architecture);
/// The keys of a run after its layers: unmapped operators, totals, and the choice of points for the network.
void describe_run_end(Fields& fields, RunHead& run, std::vector<UnmappedOperator>& unmapped,
                      const ResultTotals& totals);
/// Replaces the figures in `totals` by the figures of the choice in `optimum`.
void put_optimum_totals(const Json& optimum, Json& totals);
/// Writes `network_optimum`, if the run has one, and the totals of its choice.
void put_network_optimum(Json& json, const RunHead& run);

/// The statistics of a search; with the number of spatial choices if `choices`.
void describe_search(Fields& fields, SearchStatistics& search, bool choices);
void describe_tie_break(Fields& fields, TieBreakResult& ties);
void describe_status(Fields& fields, std::optional<Status>& status);
void describe_operand(Fields& fields, std::optional<Operand>& operand);

/// A part that may be absent.
template <typename T, typename Describe>
void add_part(Fields& fields, std::string_view key, std::optional<T>& part, const Describe& describe,
              std::string_view meaning) {
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    read_fields(node, label, reading, [&](Fields& inner) { describe(inner, part.emplace()); });
  };
  const auto write = [&] {
    return part ? write_fields([&](Fields& inner) { describe(inner, *part); }) : Json();
  };
  const auto schema = [&] {
    T empty;
    return schema_of([&](Fields& inner) { describe(inner, empty); }, fields.schema_kind());
  };
  fields.field({key, optional, read, [] {}, write, schema, meaning});
}

/// The result with another amount of a resource. `describe_point` describes the mapping and its cost.
template <typename Point, typename DescribePoint>
void describe_change(Fields& fields, ResourceChange<Point>& change, const DescribePoint& describe_point) {
  fields.integer(key::amount, change.amount, {0}, required, "The other amount.");
  fields.word(key::status, change.status, statuses, required, "");
  add_figure(fields, key::lower_bound, change.lower_bound, "Bound on the objective.");
  add_figure(fields, key::gain, change.gain, "(layer's objective - objective) / |layer's objective|", 0.0);
  add_figure(fields, key::objective, change.best.objective, "Cost of the mapping.");
  describe_point(fields, change.best);
}

template <typename Point, typename Kinds, typename DescribePoint>
void describe_resource(Fields& fields, NamedReport<Point>& report, const Kinds& kinds,
                       const DescribePoint& describe_point) {
  const auto describe = [&](Fields& inner, ResourceChange<Point>& change) {
    describe_change(inner, change, describe_point);
  };
  fields.word(key::resource, report.resource.kind, kinds, required, "Kind of resource.");
  fields.text(key::name, report.resource.name, "Name of the memory or axis.");
  fields.integer(key::amount, report.amount, {1}, required,
                 "compute: mvm_cycles; bandwidth: bits per cycle; capacity: bits; axis: lanes; banks: banks");
  add_figure(fields, key::used, report.used.share,
             "Share of the cycles, of the bits that could move, of the capacity, or of the lanes.", 0.0);
  describe_operand(fields, report.used.busiest);
  fields.word(key::binds, report.binding, bindings, required,
              "yes: one step gains; later: only much more gains; no: neither gains; unknown: a limit ended a "
              "search.");
  add_part(fields, key::step, report.step, describe, "The optimum with the next larger amount.");
  add_part(fields, key::most, report.most, describe,
           "The optimum with the largest amount that could be used.");
}

/// The status, objective and bound of a layer. The gap follows from them and is skipped when a file is read.
template <typename Point>
void describe_costs(Fields& fields, LayerFindings<Point>& findings) {
  fields.text(key::same_as, findings.same_as, "An earlier layer of equal shape that was solved for both.");
  describe_status(fields, findings.status);
  add_figure(fields, key::objective, findings.best.objective,
             "Cost of one run of the nest; all figures of a layer are for one run.");
  add_figure(fields, key::claimed_objective, findings.claimed_objective,
             "With nestor import: the objective that the solver claims; `objective` is the computed cost of "
             "the mapping.");
  add_figure(fields, key::lower_bound, findings.lower_bound, "Proved lower bound on the objective.");
  const auto& objective = findings.best.objective;
  const auto& bound = findings.lower_bound;
  add_output(fields, key::gap, objective && bound ? figure_to_json(gap_between(*objective, *bound)) : Json(),
             figure_schema, "(objective - lower_bound) / |objective|");
}

/// The search and other mappings of a layer.
template <typename Point, typename DescribePoint>
void describe_mappings(Fields& fields, LayerFindings<Point>& findings, bool choices,
                       const DescribePoint& describe_point) {
  constexpr SizeRange most_points = {0, 1'000'000};
  const auto describe_listed = [&](Fields& inner, Point& point) {
    add_figure(inner, key::objective, point.objective, "Cost of the mapping.");
    describe_point(inner, point);
  };
  add_part(
      fields, key::search, findings.search,
      [&](Fields& inner, SearchStatistics& search) { describe_search(inner, search, choices); },
      "All but `seconds` are the same for any number of threads.");
  add_part(fields, key::tie_break, findings.ties, describe_tie_break,
           "Minimisation of the other cost among the mappings of equal objective, after that optimum is "
           "proved. Status optimal: the minimum is proved; heuristic: the search reached its own limit. "
           "`nodes` and `seconds` are not included in `search`. Absent: ties were not searched.");
  fields.list(key::alternatives, optional, most_points, findings.alternatives, "alternatives entry",
              describe_listed, "With map --top: the next best mappings, in order.");
  fields.list(key::front, optional, most_points, findings.front, "front entry", describe_listed,
              "With --objective pareto: the front, in ascending order of latency.");
}

template <typename Point, typename Kinds, typename DescribePoint>
void describe_resources(Fields& fields, LayerFindings<Point>& findings, const Kinds& kinds,
                        const DescribePoint& describe_point) {
  fields.list(
      key::resources, optional, {0, 1000}, findings.resources, "resource",
      [&](Fields& inner, NamedReport<Point>& report) {
        describe_resource(inner, report, kinds, describe_point);
      },
      "With map --explain: the use of each resource, and the gain from more of it.");
}

/// The layers of a result. `accept` checks a record that was read.
template <typename Record, typename Describe, typename Accept>
void describe_layers(Fields& fields, std::vector<Record>& layers, const Describe& describe,
                     const Accept& accept) {
  constexpr SizeRange most_layers = {0, 1'000'000};
  const auto read = [&](const Node& node, const std::string& label, Reading& reading) {
    for (const Node& item : read_list(node, label, most_layers.low, most_layers.high, reading)) {
      Record record;
      const auto name = "layer" + std::to_string(layers.size() + 1);
      read_fields(item, "layer", reading, [&](Fields& inner) {
        describe_layer(inner, record.layer, name);
        describe(inner, record);
      });
      accept_layer(item, record.layer, {}, reading);
      if (!reading.failed()) accept(item, record, reading);
      if (reading.failed()) return;
      layers.push_back(std::move(record));
    }
  };
  const auto write = [&] {
    Json json = Json::array();
    for (Record& record : layers) {
      Layer whole = whole_layer(record.layer);
      json.push_back(write_fields([&](Fields& inner) {
        describe_layer(inner, whole, {});
        describe(inner, record);
      }));
    }
    return json;
  };
  const auto schema = [&] {
    Record record;
    return list_schema(most_layers, schema_of(
                                        [&](Fields& inner) {
                                          describe_layer(inner, record.layer, {});
                                          describe(inner, record);
                                        },
                                        SchemaKind::output));
  };
  fields.field({key::layers, required, read, [] {}, write, schema,
                "The keys of a layer file, followed by the results."});
}

}  // namespace nestor::io
