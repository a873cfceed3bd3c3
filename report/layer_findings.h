// Converts the findings of a loop-nest mapper for a layer to the layer's record in a result.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "model/loopnest/objective_kind.h"
#include "report/goal_columns.h"
#include "report/resource_table.h"
#include "report/results/nest_run.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {

/// Sets the findings for a layer. `point_of` converts a mapping and its cost to a Point.
template <typename Point, typename LayerMap, typename PointOf>
void set_findings(io::LayerFindings<Point>& record, const LayerMap& map, PointOf point_of) {
  if (!map.heuristic) record.status = map.status;
  if (map.bound && std::isfinite(*map.bound)) record.lower_bound = map.bound;
  record.search = map.search;
  if (map.ties)
    record.ties = {map.ties->cost == ObjectiveKind::energy ? "energy" : "latency", map.ties->status,
                   map.ties->bound, static_cast<Int>(map.ties->counts.expanded), map.ties->seconds};
  for (std::size_t i = 0; i < map.best.size(); ++i)
    (i == 0 ? record.best : record.alternatives.emplace_back()) = point_of(map.best[i]);
  for (const auto& mapped : map.front) {
    record.front.push_back(point_of(mapped));
    record.front.back().objective.reset();
  }
}

/// True if bounds add information to objectives: some layer has a mapping with a bound but without a proof of
/// optimality.
template <typename Layers>
bool is_open(const Layers& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const auto& record) {
    return record.lower_bound && record.best.objective && record.status != Status::optimal;
  });
}

/// Returns a line with the secondary cost that decides among mappings of equal objective, and with the number
/// of layers for which it is proved. Returns an empty string if no layer has such a cost.
template <typename Layers>
std::string ties_text(const Layers& layers) {
  const io::TieBreakResult* ties = nullptr;
  std::size_t proved = 0;
  for (const auto& record : layers) {
    if (!record.ties) continue;
    ties = &*record.ties;
    proved += ties->status == Status::optimal ? 1U : 0U;
  }
  if (ties == nullptr) return {};
  const auto extent = proved == layers.size()
                          ? std::string("proved")
                          : fmt::format("proved for {} of {} layers", proved, layers.size());
  return fmt::format("ties: the least {} among mappings of equal {}, {}\n", ties->objective,
                     ties->objective == "energy" ? "latency" : "energy", extent);
}

/// Returns a line with the sum of the layers' minimised EDPs, which is not the EDP of the network.
inline std::string edp_text(const std::optional<double>& sum, std::size_t layers) {
  if (!sum || layers < 2) return {};
  return fmt::format("EDP of all layers: total energy times total cycles; the sum of their own EDPs is {}\n",
                     io::figure_text(*sum));
}

/// True if the result of a layer is only that of an earlier layer of equal shape.
template <typename Record>
bool is_repeated(const Record& record) {
  return !record.same_as.empty();
}

/// The work of all searches of a run.
struct SearchTotals {
  Int nodes = 0;
  double seconds = 0;
};
template <typename Run>
SearchTotals search_totals(const Run& run) {
  SearchTotals totals;
  for (const auto& record : run.layers) {
    if (!record.search) continue;
    totals.nodes += record.search->nodes();
    totals.seconds += record.search->seconds;
  }
  return totals;
}

/// Returns a table of the best mappings of each layer (--top), including the first.
template <typename Run>
std::string alternatives_text(const Run& run) {
  io::Table table({{"layer", io::Align::left}, {"rank"}, {"objective"}, {"cycles"}, {"energy"}});
  const auto add = [&](const std::string& name, std::size_t rank, const auto& point) {
    const auto cost = cost_of(point, run.machine);
    table.add_row({name, fmt::format("{}", rank),
                   point.objective ? objective_text(run.objective.name, *point.objective) : "-",
                   cost ? io::count_text(cost->cycles) : "-", cost ? io::energy_text(cost->energy_pj) : "-"});
  };
  bool any = false;
  for (const auto& record : run.layers) {
    if (!record.best.mapping || is_repeated(record)) continue;
    add(record.layer.name, 1, record.best);
    for (std::size_t i = 0; i < record.alternatives.size(); ++i) add("", i + 2, record.alternatives[i]);
    any = true;
  }
  return any ? "\n" + table.to_string() : "";
}

/// Sets the findings for resources. `point_of` returns the best mapping with another amount of a resource, or
/// no mapping if it equals the layer's own.
template <typename Point, typename Report, typename Machine, typename PointOf>
void set_resources(io::LayerFindings<Point>& record, const std::vector<Report>& reports,
                   const Machine& machine, PointOf point_of) {
  for (const auto& found : reports) {
    const NamedResource named{found.resource.kind,
                              part_name(found.resource, machine.memory_names, machine.axis_names)};
    auto& report = record.resources.emplace_back(
        NamedReport<Point>{named, found.amount, found.used, std::nullopt, std::nullopt, found.binding});
    for (const auto& [from, to] : {std::pair{&found.step, &report.step}, {&found.most, &report.most}}) {
      if (!*from) continue;
      const auto& change = **from;
      *to = {change.amount, change.status, point_of(found.resource, change), change.lower_bound, change.gain};
      if (change.lower_bound && !std::isfinite(*change.lower_bound)) (*to)->lower_bound.reset();
    }
  }
}

}  // namespace nestor::report
