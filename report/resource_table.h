// The tables of --explain: the use of a layer's resources, the effect of a larger amount of each resource,
// and the effect of doubling each resource on the whole network.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/loopnest/space/resource_report.h"

namespace nestor::report {

/// Figures of a change of a resource for the table, without the mapping.
struct Gain {
  Int amount = 0;
  Status status = Status::optimal;
  double gain = 0;
};
using ResourceRow = ResourceReport<NamedResource, Gain>;

/// Cost of a mapping, or a sum over a network.
struct NetworkCost {
  double objective = 0;
  double cycles = 0;
  double energy_pj = 0;
  void add(const NetworkCost& layer, double repeat) {
    objective += repeat * layer.objective;
    cycles += repeat * layer.cycles;
    energy_pj += repeat * layer.energy_pj;
  }
  /// The EDP of a network is its total energy times its total latency.
  double value(bool edp) const { return edp ? energy_pj * cycles : objective; }
};

/// A resource with its original amount and the effect of doubling it.
struct NetworkRow {
  NamedResource resource;
  Int amount = 0;
  Gain twice;
};

/// Unit of a resource's amounts in tables, and its size in the machine's units.
struct ResourceUnit {
  const char* name = "";
  Int size = 1;
};
/// Returns the unit of a resource whose amount is `now`.
ResourceUnit unit_of(Resource::Kind resource, Int now);
std::string amount_text(Int amount, const ResourceUnit& unit);

/// Returns the name of the resource's memory or axis, or an empty string for compute.
std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes);

std::string resources_text(const std::string& layer, const std::string& objective,
                           std::span<const ResourceRow> rows);
std::string network_resources_text(const std::string& objective, std::span<const NetworkRow> rows);

/// Returns the rows of a network, or none if it has a single layer or not all layers were explained.
template <typename Run>
std::vector<NetworkRow> network_rows(const Run& run) {
  const auto network_cost = [&](const auto& point) {
    const auto cost = cost_of(point, run.machine);
    return cost ? NetworkCost{point.objective.value_or(0), static_cast<double>(cost->cycles), cost->energy_pj}
                : NetworkCost{};
  };
  if (run.layers.size() < 2) return {};
  std::vector<const typename decltype(run.layers)::value_type*> explained;
  NetworkCost now;
  for (const auto& record : run.layers) {
    const auto twin = std::find_if(run.layers.begin(), run.layers.end(), [&](const auto& other) {
      return !other.resources.empty() && other.layer.shape == record.layer.shape;
    });
    if (twin == run.layers.end()) return {};
    explained.push_back(&*twin);
    now.add(network_cost(twin->best), static_cast<double>(record.layer.repeat));
  }
  const bool edp = run.objective.name == "edp";
  std::vector<NetworkRow> rows;
  for (std::size_t r = 0; r < explained.front()->resources.size(); ++r) {
    const auto& first = explained.front()->resources[r];
    NetworkRow row{first.resource, first.amount, {first.amount, Status::optimal, 0}};
    NetworkCost changed;
    for (std::size_t i = 0; i < explained.size(); ++i) {
      const auto& step = explained[i]->resources[r].step;
      const bool gains = step && step->gain > 0;
      changed.add(network_cost(gains ? step->best : explained[i]->best),
                  static_cast<double>(run.layers[i].layer.repeat));
      if (!step) continue;
      // A layer that cannot use twice as much gets as much as it can use.
      const bool more = std::abs(step->amount - row.amount) > std::abs(row.twice.amount - row.amount);
      if (more) row.twice.amount = step->amount;
      if (step->status != Status::optimal) row.twice.status = step->status;
    }
    const double before = now.value(edp);
    if (before != 0) row.twice.gain = (before - changed.value(edp)) / std::abs(before);
    rows.push_back(row);
  }
  return rows;
}

/// Returns the tables for every explained layer of a run and for the whole network.
template <typename Run>
std::string explanation_text(const Run& run) {
  const auto gain_of = [](const auto& change) {
    return change ? std::optional(Gain{change->amount, change->status, change->gain}) : std::nullopt;
  };
  std::string text;
  for (const auto& record : run.layers) {
    std::vector<ResourceRow> rows;
    for (const auto& report : record.resources)
      rows.push_back({report.resource, report.amount, report.used, gain_of(report.step), gain_of(report.most),
                      report.binding});
    if (!rows.empty()) text += resources_text(record.layer.name, run.objective.name, rows);
  }
  const auto network = network_rows(run);
  return network.empty() ? text : text + network_resources_text(run.objective.name, network);
}

}  // namespace nestor::report
