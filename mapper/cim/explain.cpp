#include "mapper/cim/explain.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "mapper/cim/padding.h"
#include "mapper/cim/setup.h"
#include "model/cim/search/objective.h"
#include "model/loopnest/tiles.h"
#include "solver/engine/engine.h"

namespace nestor::mapper {
namespace {

using Kind = Resource::Kind;

constexpr Int most_axis_growth = 8;  // searches grow with an axis, without end in sight

bool moves_through(const Architecture& machine, std::size_t memory, Operand operand) {
  return machine.memories[memory].operands.contains(operand) && memory != machine.innermost(operand);
}

bool is_held(const Architecture& machine, std::size_t memory, Operand operand) {
  return machine.memories[memory].operands.contains(operand) && memory != machine.home(operand);
}

Int whole_bits(const LayerShape& layer, Operand operand) {
  return elements(layer, operand, layer.bounds) * layer.bits.widest(operand);
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

class Explainer {
 public:
  Explainer(const LayerShape& layer, const Architecture& machine, const Request& request, const LayerMap& map,
            const Resources& resources)
      : layer_(layer),
        machine_(machine),
        request_(request),
        resources_(resources),
        base_(map.best.front()),
        base_proved_(map.status == Status::optimal),
        padded_(padded_bounds(layer.bounds, request.padding)) {
    request_.top = 1;
    request_.start = base_.mapping;
    if (request_.objective.kind == cim::ObjectiveKind::eq14 && request_.objective.additive_weight < 0)
      request_.objective.additive_weight =
          cim::default_eq14_weight(machine);  // not that of a changed machine
    // One deadline for all searches of the layer, not one each.
    resources_.deadline = resources_.deadline_of_layer(request_.layer_seconds, Resources::Clock::now());
    request_.layer_seconds = std::numeric_limits<double>::infinity();
  }

  ResourceReport report(const Resource& resource) const {
    ResourceReport report;
    report.resource = resource;
    report.amount = amount_of(resource, machine_);
    set_use(report);
    const auto [step, most] = amounts(resource);
    if (most == report.amount) return report;  // the layer can use no more
    report.most = change(resource, most);
    // More never hurts, and `step` is no more than `most`.
    const bool hopeless = report.most->proved && report.most->gain == 0;
    report.step = hopeless ? unsearched(resource, step) : step == most ? report.most : change(resource, step);
    report.binding = binding_of(*report.step, *report.most);
    return report;
  }

 private:
  static Binding binding_of(const Change& step, const Change& most) {
    if (step.proved && step.gain > 0) return Binding::yes;
    if (!step.proved || !most.proved) return Binding::unknown;
    return most.gain > 0 ? Binding::later : Binding::no;
  }

  void set_use(ResourceReport& report) const {
    const auto& evaluation = base_.evaluation;
    const auto cycles = static_cast<double>(evaluation.cycles(request_.objective.latency_model));
    const auto amount = static_cast<double>(report.amount);
    const std::size_t place = report.resource.place;
    switch (report.resource.kind) {
      case Kind::compute:
        report.used = static_cast<double>(evaluation.steps) * amount / cycles;
        break;
      case Kind::bandwidth:
        for (const Operand operand : all_operands) {
          if (!moves_through(machine_, place, operand)) continue;
          const std::size_t x = index_of(operand);
          const auto bits =
              static_cast<double>(evaluation.read_bits[place][x] + evaluation.write_bits[place][x]);
          const double used = bits / (amount * cycles);
          if (report.busiest && used <= report.used) continue;
          report.busiest = operand;
          report.used = used;
        }
        break;
      case Kind::capacity:
        report.used = static_cast<double>(evaluation.usage_bits[place]) / amount;
        break;
      case Kind::axis:
        report.used = product_of<double>(base_.mapping.spatial[place]) / amount;
        break;
      case Kind::banks:
      case Kind::activation:
        break;  // no rows here
    }
  }

  /// One step more of a resource, and the most that any padding of the layer could use.
  std::pair<Int, Int> amounts(const Resource& resource) const {
    const Int now = amount_of(resource, machine_);
    if (resource.kind == Kind::compute) return {now - now / 2, 1};
    if (resource.kind == Kind::axis) return lane_counts(resource.place, now);
    Int most = now;
    Int all_together = 0;
    for (const Extents& bounds : padded_) {
      LayerShape padded = layer_;
      padded.bounds = bounds;
      Int doubled = 0;
      for (const Operand operand : all_operands) {
        // With the bandwidth of a whole operand, every transfer takes one cycle.
        if (resource.kind == Kind::bandwidth && moves_through(machine_, resource.place, operand))
          most = std::max(most, whole_bits(padded, operand));
        if (resource.kind == Kind::capacity && is_held(machine_, resource.place, operand))
          doubled += 2 * whole_bits(padded, operand);
      }
      all_together = std::max(all_together, doubled);
    }
    if (resource.kind == Kind::capacity) most = std::max(now, all_together);
    return {now > most / 2 ? most : 2 * now, most};
  }

  /// The next number of lanes that a combination of factors fills, and the largest such number up to
  /// `most_axis_growth` times the axis.
  std::pair<Int, Int> lane_counts(std::size_t axis, Int now) const {
    const Int limit = checked_multiply(now, most_axis_growth).value_or(now);
    Int next = std::numeric_limits<Int>::max();
    Int most = now;
    for (const Extents& bounds : padded_) {
      std::set<Int> products = {1};  // up to `limit`
      for (const Dim dim : all_dims) {
        const auto extents = lane_factors(axis, dim, bounds[index_of(dim)]);
        std::set<Int> more;
        for (const Int product : products)
          for (const Int extent : extents) {
            const auto lanes = checked_multiply(product, extent);
            if (lanes && *lanes <= limit) more.insert(*lanes);
            if (lanes && *lanes > now) next = std::min(next, *lanes);
          }
        products = std::move(more);
      }
      if (!products.empty()) most = std::max(most, *products.rbegin());
    }
    if (next == std::numeric_limits<Int>::max()) return {now, now};
    return {next, std::max(next, most)};
  }

  /// What may stand on an axis for one dimension; ascending.
  std::set<Int> lane_factors(std::size_t axis, Dim dim, Int bound) const {
    const auto& constraints = request_.constraints;
    const Int fixed = constraints.axis_factors[axis][index_of(dim)];
    if (fixed != 0) return {fixed};
    std::set<Int> extents = {1};
    if (!machine_.axes[axis].dims.contains(dim) || !constraints.axis_dims[axis].contains(dim)) return extents;
    const FactorSet set =
        request_.flexible ? flexible_factors(bound, *request_.flexible) : prime_factors(bound);
    for (const auto& factor : set.factors)
      for (int i = 0; i < factor.count; ++i) {
        std::set<Int> larger;
        for (const Int extent : extents) larger.insert(extent * factor.value);
        extents.merge(larger);
      }
    return extents;
  }

  /// The mapping at hand on the changed machine; as well proved as it is on its own.
  Change unsearched(const Resource& resource, Int amount) const {
    Change change;
    change.amount = amount;
    Architecture machine = machine_;
    amount_of(resource, machine) = amount;
    change.best = base_;
    change.best.evaluation = cim::evaluate(base_.shape, machine, base_.mapping);
    change.best.objective = objective_of(change.best, machine);
    change.status = base_proved_ ? Status::optimal : Status::gap_reached;
    change.bound = base_proved_ ? change.best.objective : no_bound;
    change.proved = base_proved_;
    return change;
  }

  Change change(const Resource& resource, Int amount) const {
    Change change = unsearched(resource, amount);
    if (!matters(resource)) return change;
    Architecture machine = machine_;
    amount_of(resource, machine) = amount;
    Request request = request_;
    if (resource.kind == Kind::axis)
      keep_least_lanes(resource.place, machine_.axes[resource.place].size, amount, request.constraints);
    const LayerMap map = map_layer(layer_, machine, request, resources_);
    change.fault = map.fault;
    change.status = map.status;
    if (!map.best.empty() && map.best.front().objective < change.best.objective)
      change.best = map.best.front();
    change.bound = map.bound.value_or(no_bound);
    change.proved = base_proved_ && map.status == Status::optimal;
    const double saved = base_.objective - change.best.objective;
    if (saved > cost_tolerance * std::abs(base_.objective)) change.gain = saved / std::abs(base_.objective);
    return change;
  }

  double objective_of(const MappedLayer& mapped, const Architecture& machine) const {
    auto objective = request_.objective;
    objective.leakage = machine.leakage;
    return cim::objective_value(objective, mapped.evaluation, machine);
  }

  /// Energy without leakage does not depend on how fast anything is.
  bool matters(const Resource& resource) const {
    const bool is_speed = resource.kind == Kind::compute || resource.kind == Kind::bandwidth;
    return !is_speed || request_.objective.kind != cim::ObjectiveKind::energy || machine_.leakage > 0;
  }

  const LayerShape& layer_;
  const Architecture& machine_;
  Request request_;
  Resources resources_;
  const MappedLayer& base_;
  bool base_proved_;
  std::vector<Extents> padded_;
};

}  // namespace

std::vector<ResourceReport> explain_layer(const LayerShape& layer, const Architecture& machine,
                                          const Request& request, const LayerMap& map,
                                          const Resources& resources) {
  const Explainer explainer(layer, machine, request, map, resources);
  const auto list = resources_of(machine);
  std::vector<ResourceReport> reports(list.size());
  resources.executor.run(list.size(), [&](std::size_t i) { reports[i] = explainer.report(list[i]); });
  return reports;
}

}  // namespace nestor::mapper
