#include "mapper/cim/explain.h"

#include <algorithm>

#include "mapper/cim/setup.h"
#include "model/cim/search/objective.h"
#include "model/loopnest/tiles.h"
#include "solver/engine/engine.h"

namespace nestor::mapper {
namespace {

using Kind = Resource::Kind;

bool moves_through(const Architecture& machine, std::size_t memory, Operand operand) {
  return machine.memories[memory].operands.contains(operand) && memory != machine.innermost(operand);
}

bool is_held(const Architecture& machine, std::size_t memory, Operand operand) {
  return machine.memories[memory].operands.contains(operand) && memory != machine.home(operand);
}

std::vector<Resource> resources_of(const Architecture& machine) {
  std::vector<Resource> list = {{Kind::compute, 0}};
  const auto add_memories = [&](Kind kind, auto matters) {
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      if (std::any_of(all_operands.begin(), all_operands.end(),
                      [&](Operand operand) { return matters(machine, m, operand); }))
        list.push_back({kind, m});
  };
  add_memories(Kind::bandwidth, moves_through);
  add_memories(Kind::capacity, is_held);
  std::erase_if(list, [&](const Resource& resource) {
    return resource.kind == Kind::capacity && amount_of(resource, machine) == unlimited_capacity;
  });
  for (std::size_t axis = 0; axis < machine.axes.size(); ++axis) list.push_back({Kind::axis, axis});
  return list;
}

class Explainer : ExplainContext<MappedCimLayer, Architecture, CimRequest> {
 public:
  using ExplainContext::is_proved;
  using ExplainContext::Point;
  using ExplainContext::stopped;

  Explainer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
            const CimLayerMap& map, const Resources& resources)
      : ExplainContext(layer, machine, request, map, resources), largest_(layer) {
    for (std::size_t d = 0; d < dim_count; ++d)
      largest_.bounds[d] = padded_bounds(largest_.bounds, d, request.padding).back();
    request_.start = base_.mapping;
    if (request_.objective.kind == cim::ObjectiveKind::eq14 && request_.objective.additive_weight < 0)
      request_.objective.additive_weight =
          cim::default_eq14_weight(machine);  // the weight of the original machine, also for changed machines
  }

  Int amount(const Resource& resource) const { return amount_of(resource, machine_); }

  ResourceUse use(const Resource& resource, Int amount) const {
    const auto& evaluation = base_.evaluation;
    const auto cycles = static_cast<double>(evaluation.cycles(request_.objective.latency_model));
    ResourceUse use{.share = share_used(resource, amount, evaluation, base_.mapping, cycles)};
    if (resource.kind != Kind::bandwidth) return use;
    for (const Operand operand : all_operands) {
      if (!moves_through(machine_, resource.place, operand)) continue;
      const std::size_t x = index_of(operand);
      const auto bits = static_cast<double>(evaluation.read_bits[resource.place][x] +
                                            evaluation.write_bits[resource.place][x]);
      const double share = bits / (static_cast<double>(amount) * cycles);
      if (use.busiest && share <= use.share) continue;
      use = {.share = share, .busiest = operand};
    }
    return use;
  }

  /// Returns the next amount of a resource (twice as much, at most the largest useful amount) and the largest
  /// amount that the layer could use with padded bounds. The array's speed is given in cycles per MVM; its
  /// next amount is half of them, and its largest amount is 1.
  std::pair<Int, Int> amounts(const Resource& resource) const {
    const Int now = amount_of(resource, machine_);
    if (resource.kind == Kind::compute) return {now - now / 2, 1};
    if (resource.kind == Kind::axis) return twice(now, most_lanes(resource.place, now));
    Int most = now;
    Int all_together = 0;
    for (const Operand operand : all_operands) {
      // At a bandwidth of a whole operand per cycle, every transfer takes one cycle.
      if (resource.kind == Kind::bandwidth && moves_through(machine_, resource.place, operand))
        most = std::max(most, whole_bits(largest_, operand));
      if (resource.kind == Kind::capacity && is_held(machine_, resource.place, operand))
        all_together += 2 * whole_bits(largest_, operand);
    }
    if (resource.kind == Kind::capacity) most = std::max(now, all_together);
    return twice(now, most);
  }

  /// Returns the current mapping on the changed machine, with the status of the original proof.
  Change unchanged(const Resource& resource, Int amount) const {
    Change change;
    change.amount = amount;
    Architecture machine = machine_;
    amount_of(resource, machine) = amount;
    change.best = base_;
    change.best.evaluation = cim::evaluate(base_.shape, machine, base_.mapping);
    change.best.objective = objective_of(change.best, machine);
    change.status = base_proved_ ? Status::optimal : Status::gap_reached;
    if (base_proved_) change.lower_bound = change.best.objective;
    change.gain_over(base_.objective);
    return change;
  }

  Change change(const Resource& resource, Int amount) const {
    Change change = unchanged(resource, amount);
    if (!matters(resource)) return change;
    Architecture machine = machine_;
    amount_of(resource, machine) = amount;
    CimRequest request = request_;
    if (resource.kind == Kind::axis)
      keep_least_lanes(resource.place, machine_.axes[resource.place].size, amount, request.constraints);
    const CimLayerMap map = map_layer(layer_, machine, request, resources_);
    change.fault = map.fault;
    change.status = map.status;
    if (!map.best.empty() && map.best.front().objective < change.best.objective)
      change.best = map.best.front();
    change.lower_bound = map.bound;
    if (map.bound) change.lower_bound = std::min(*map.bound, change.best.objective);
    change.gain_over(base_.objective);
    return change;
  }

 private:
  /// Returns the number of lanes that the layer could fill, at least the current number and at most
  /// `most_axis_growth` times that number.
  Int most_lanes(std::size_t axis, Int now) const {
    const auto& constraints = request_.constraints;
    const Int limit = checked_multiply(now, most_axis_growth).value_or(now);
    Int lanes = 1;
    for (const Dim dim : all_dims) {
      const auto d = index_of(dim);
      const Int fixed = constraints.axis_factors[axis][d];
      const bool takes = machine_.axes[axis].dims.contains(dim) && constraints.axis_dims[axis].contains(dim);
      const Int most = fixed != 0 ? fixed : takes ? largest_.bounds[d] : 1;
      lanes = std::min(limit, checked_multiply(lanes, most).value_or(limit));
    }
    return std::max(now, lanes);
  }

  double objective_of(const MappedCimLayer& mapped, const Architecture& machine) const {
    auto objective = request_.objective;
    objective.leakage = machine.leakage;
    return cim::objective_value(objective, mapped.evaluation, machine);
  }

  LayerShape largest_;  // the layer, with every bound padded as far as the request allows
};

}  // namespace

std::vector<LayerResource> explain_layer(const LayerShape& layer, const Architecture& machine,
                                         const CimRequest& request, const CimLayerMap& map,
                                         const Resources& resources) {
  const Explainer explainer(layer, machine, request, map, resources);
  const auto list = resources_of(machine);
  std::vector<LayerResource> reports(list.size());
  resources.executor.run(list.size(),
                         [&](std::size_t i) { reports[i] = explain_resource(explainer, list[i]); });
  return reports;
}

}  // namespace nestor::mapper
