// From what a mapper of a loop-nest space found for a layer to what a result says of it.
#pragma once

#include <cmath>
#include <utility>

#include "report/resource_table.h"
#include "report/results/result_parts.h"

namespace nestor::report {

/// `point_of`: a mapping with its cost, as a result of the space has it.
template <typename Point, typename LayerMap, typename PointOf>
void set_findings(io::LayerFindings<Point>& record, const LayerMap& map, PointOf point_of) {
  if (!map.heuristic) record.status = map.status;
  record.lower_bound = map.bound;
  record.search = map.search;
  for (std::size_t i = 0; i < map.best.size(); ++i)
    (i == 0 ? record.best : record.alternatives.emplace_back()) = point_of(map.best[i]);
  for (const auto& mapped : map.front) {
    record.front.push_back(point_of(mapped));
    record.front.back().objective.reset();
  }
}

/// `point_of`: the best mapping with another amount of a resource; without it where it is the layer's own.
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
