// Explanation of the resources that bind a mapping, in all loop-nest spaces. For each resource it reports the
// mapping's use and two optima of the layer: with one step more of the resource, and with as much of it as
// the layer could ever use. A space defines its resources, their steps and the search on the changed machine.
// The current mapping stays legal on that machine and costs no more. More of a resource never makes an
// optimum worse, so if the largest useful amount gains nothing, one step is not searched.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

#include "base/status.h"
#include "mapper/loopnest/fault.h"
#include "mapper/loopnest/resources.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/loopnest/objective_kind.h"
#include "model/loopnest/space/resource_report.h"
#include "solver/search/tolerance.h"

namespace nestor::mapper {

using nestor::Binding;
using nestor::Resource;

/// Result of the search on a changed machine.
template <typename Point>
struct SearchedChange : ResourceChange<Point> {
  Fault fault = Fault::none;

  /// Sets the gain over the current mapping, if it exceeds possible rounding differences.
  void gain_over(double current_objective) {
    const double saved = current_objective - this->best.objective;
    if (saved > cost_tolerance * std::abs(current_objective))
      this->gain = saved / std::abs(current_objective);
  }
};

/// Interface of a mapping on its machine, implemented by each space.
template <typename S>
concept ExplainedMapping = requires(const S& space, const Resource& resource, Int amount) {
  typename S::Point;
  { space.is_proved() } -> std::same_as<bool>;                 // true if the mapping is an optimum
  { space.stopped() } -> std::same_as<std::optional<Status>>;  // reason why searches must stop, if any
  { space.amount(resource) } -> std::same_as<Int>;
  { space.use(resource, amount) } -> std::same_as<ResourceUse>;
  // the amount one step higher, and the largest amount that has an effect; the current amount if more has no
  // effect
  { space.amounts(resource) } -> std::same_as<std::pair<Int, Int>>;
  // the current mapping on the changed machine, with the original proof status; the best mapping on that
  // machine
  { space.unchanged(resource, amount) } -> std::same_as<SearchedChange<typename S::Point>>;
  { space.change(resource, amount) } -> std::same_as<SearchedChange<typename S::Point>>;
};

template <typename Point>
using SearchedReport = ResourceReport<Resource, SearchedChange<Point>>;

/// Returns the best mapping on a machine with `amount` of a resource, or the current mapping if searches must
/// stop.
template <ExplainedMapping S>
SearchedChange<typename S::Point> searched_change(const S& space, const Resource& resource, Int amount) {
  const auto stopped = space.stopped();
  if (!stopped) return space.change(resource, amount);
  auto change = space.unchanged(resource, amount);
  change.status = *stopped;
  change.lower_bound.reset();
  return change;
}

template <ExplainedMapping S>
SearchedReport<typename S::Point> explain_resource(const S& space, const Resource& resource) {
  SearchedReport<typename S::Point> report;
  report.resource = resource;
  report.amount = space.amount(resource);
  report.used = space.use(resource, report.amount);
  const auto [step, most] = space.amounts(resource);
  if (most == report.amount) return report;
  report.most = searched_change(space, resource, most);
  const auto is_optimal = [](const auto& change) { return change.status == Status::optimal; };
  if (is_optimal(*report.most) && report.most->gain == 0) {  // a smaller step gains nothing either
    report.step = space.unchanged(resource, step);
    report.step->status = Status::optimal;
    report.step->lower_bound = report.step->best.objective;
  } else {
    report.step = step == most ? *report.most : searched_change(space, resource, step);
  }
  if (report.step->gain > 0)
    report.binding = space.is_proved() ? Binding::yes : Binding::unknown;
  else if (!is_optimal(*report.step) || !is_optimal(*report.most))
    report.binding = Binding::unknown;
  else
    report.binding = report.most->gain > 0 ? Binding::later : Binding::no;
  return report;
}

/// Returns the first fault in the reports, if any.
template <typename Reports>
Fault fault_of(const Reports& reports) {
  for (const auto& report : reports)
    for (const auto* change : {&report.step, &report.most})
      if (*change && (*change)->fault != Fault::none) return (*change)->fault;
  return Fault::none;
}

/// Largest factor by which the size of an axis is increased. Search effort grows with this size.
inline constexpr int most_axis_growth = 8;

/// Returns the pair of twice the amount (but at most `most`) and `most`.
constexpr std::pair<Int, Int> twice(Int now, Int most) { return {now > most / 2 ? most : 2 * now, most}; }

/// True if more of a resource only reduces latency, not dynamic energy.
constexpr bool is_speed(const Resource& resource) {
  return resource.kind == Resource::Kind::compute || resource.kind == Resource::Kind::bandwidth ||
         resource.kind == Resource::Kind::activation;
}

/// Returns the used share of a resource that exists in all spaces: the array, a capacity or an axis.
template <typename Evaluation>
double share_used(const Resource& resource, Int amount, const Evaluation& evaluation, const Mapping& nest,
                  double cycles) {
  const auto whole = static_cast<double>(amount);
  switch (resource.kind) {
    case Resource::Kind::compute:
      return static_cast<double>(evaluation.steps) * whole / cycles;
    case Resource::Kind::capacity:
      return static_cast<double>(evaluation.usage_bits[resource.place]) / whole;
    case Resource::Kind::axis:
      return product_of<double>(nest.spatial[resource.place]) / whole;
    default:
      return 0;
  }
}

/// Base of a space's explanation: the layer, its machine, the mapping found, and a request for further
/// searches. All searches share the deadline of one layer.
template <typename Mapped, typename Machine, typename Request>
class ExplainContext {
 public:
  using Point = Mapped;

  template <typename LayerMap>
  ExplainContext(const LayerShape& layer, const Machine& machine, const Request& request, const LayerMap& map,
                 const Resources& resources)
      : layer_(layer),
        machine_(machine),
        request_(request),
        resources_(resources),
        base_(map.best.front()),
        base_proved_(map.status == Status::optimal) {
    request_.top = 1;
    request_.break_ties = false;
    resources_.deadline = resources_.deadline_of_layer(request_.layer_seconds, Resources::Clock::now());
    request_.layer_seconds = std::numeric_limits<double>::infinity();
  }

  bool is_proved() const { return base_proved_; }
  std::optional<Status> stopped() const {
    StopSource stop(resources_.deadline);
    stop.watch(resources_.interrupted);
    return stop.requested() ? std::optional(stop.status()) : std::nullopt;
  }

 protected:
  /// True if more of a resource can change the objective at all.
  bool matters(const Resource& resource) const {
    return !is_speed(resource) || request_.objective.kind != ObjectiveKind::energy || machine_.leakage > 0;
  }

  const LayerShape& layer_;
  const Machine& machine_;
  Request request_;
  Resources resources_;
  const Mapped& base_;
  bool base_proved_;
};

}  // namespace nestor::mapper
