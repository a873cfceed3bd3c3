#include "mapper/pim/explain.h"

#include <algorithm>

#include "model/loopnest/tiles.h"
#include "model/pim/search/admission.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::PimMachine;
using Kind = Resource::Kind;

// Returns the lower of a port's read and write bandwidths.
Int port_bandwidth(const Memory& memory) {
  const auto rates = nestor::pim::port_rates(memory);
  return std::min(rates.read, rates.write);
}

Int amount_now(const Resource& resource, const PimMachine& machine) {
  return resource.kind == Kind::bandwidth ? port_bandwidth(machine.memories[resource.place])
                                          : amount_of(resource, machine);
}

// Sets the amount of a resource. Widening a port never lowers the bandwidth of one of its directions.
void set_amount(const Resource& resource, Int amount, PimMachine& machine) {
  if (resource.kind != Kind::bandwidth) {
    amount_of(resource, machine) = amount;
    return;
  }
  Memory& memory = machine.memories[resource.place];
  for (Int* bandwidth : {&memory.bandwidth, &memory.read_bandwidth, &memory.write_bandwidth})
    if (*bandwidth > 0) *bandwidth = std::max(*bandwidth, amount);
}

std::vector<Resource> resources_of(const PimMachine& machine) {
  std::vector<Resource> list = {{Kind::compute, 0}};
  const auto& memories = machine.memories;
  for (std::size_t m = 0; m < memories.size(); ++m) list.push_back({Kind::bandwidth, m});
  for (std::size_t m = 0; m < memories.size(); ++m)
    if (memories[m].capacity != unlimited_capacity) list.push_back({Kind::capacity, m});
  for (std::size_t a = 0; a < machine.axes.size(); ++a) list.push_back({Kind::axis, a});
  for (std::size_t m = 0; m < memories.size(); ++m) {
    if (memories[m].row == 0) continue;
    list.push_back({Kind::banks, m});
    if (memories[m].activation_cycles > 0) list.push_back({Kind::activation, m});
  }
  return list;
}

class Explainer : ExplainContext<MappedPimLayer, PimMachine, PimRequest> {
 public:
  using ExplainContext::ExplainContext;
  using ExplainContext::is_proved;
  using ExplainContext::Point;
  using ExplainContext::stopped;

  Int amount(const Resource& resource) const { return amount_now(resource, machine_); }

  ResourceUse use(const Resource& resource, Int amount) const {
    const PimEvaluation& evaluation = base_.evaluation;
    const auto cycles = static_cast<double>(evaluation.latency_cycles);
    if (resource.kind == Kind::bandwidth) return port_use(resource.place, cycles);
    if (resource.kind == Kind::banks || resource.kind == Kind::activation)
      return {.share = opening_use(machine_.memories[resource.place]) / cycles};
    return {.share = share_used(resource, amount, evaluation, base_.mapping.nest, cycles)};
  }

  // Returns the amount one step higher, and the largest amount that has an effect. For the array and for row
  // activations, the amounts are cycles: a step halves them.
  std::pair<Int, Int> amounts(const Resource& resource) const {
    const Int now = amount_now(resource, machine_);
    Int most = now;
    if (!matters(resource)) return {now, now};
    switch (resource.kind) {
      case Kind::compute:
        return {now - now / 2, 1};
      case Kind::activation:
        return {now / 2, 0};
      case Kind::axis:
        return twice(now, checked_multiply(now, most_axis_growth).value_or(now));
      case Kind::banks:
        while (most <= nestor::pim::max_banks / 2) most *= 2;  // more banks add no activations
        return twice(now, most);
      case Kind::bandwidth:
      case Kind::capacity: {
        Int all = 0;
        for (const Operand operand : all_operands) {
          const Int bits = whole_bits(layer_, operand);
          all = std::max(all + (resource.kind == Kind::capacity ? bits : 0), bits);
        }
        most = std::max(now, all);
        return twice(now, most);
      }
    }
    return {now, now};
  }

  Change unchanged(const Resource& resource, Int amount) const {
    Change change;
    change.amount = amount;
    change.best = base_;
    PimMachine machine = machine_;
    set_amount(resource, amount, machine);
    if (nestor::pim::admit(layer_, machine) == Refusal::none) {  // otherwise, numbers could overflow
      nestor::pim::RowCounter rows;
      change.best.evaluation = evaluate(base_.shape, machine, base_.mapping, rows);
      const auto problem = problem_of(layer_, machine, request_);
      change.best.objective = nestor::pim::objective_value(problem.objective, change.best.evaluation);
    }
    if (base_proved_) change.lower_bound = change.best.objective;
    change.status = base_proved_ ? Status::optimal : Status::gap_reached;
    change.gain_over(base_.objective);
    return change;
  }

  Change change(const Resource& resource, Int amount) const {
    Change change = unchanged(resource, amount);
    PimMachine machine = machine_;
    set_amount(resource, amount, machine);
    if (nestor::pim::admit(layer_, machine) != Refusal::none) {  // numbers could overflow
      change.status = Status::memory_limit;
      change.lower_bound.reset();
      return change;
    }
    // The search must find a better mapping than the current one.
    PimRequest request = request_;
    if (resource.kind == Kind::axis)
      keep_least_lanes(resource.place, machine_.axes[resource.place].size, amount, request.constraints);
    const auto problem = problem_of(layer_, machine, request);
    const PimLayerMap map = map_problem(problem, request, resources_, change.best.objective);
    change.fault = map.fault;
    if (!map.best.empty()) change.best = map.best.front();
    // An infeasible problem has no mapping cheaper than the current one.
    const bool proved = map.status == Status::optimal || map.status == Status::infeasible;
    change.status = proved ? Status::optimal : map.status;
    change.lower_bound = proved ? change.best.objective : std::min(*map.bound, change.best.objective);
    change.gain_over(base_.objective);
    return change;
  }

 private:
  // Returns the share of cycles in which the busiest operand uses the memory's port; if all operands share
  // the port, the sum over them.
  ResourceUse port_use(std::size_t memory, double cycles) const {
    ResourceUse use;
    double all = 0;
    for (const Operand operand : all_operands) {
      const double share =
          nestor::pim::moving_cycles(machine_.memories[memory], base_.evaluation, memory, operand) / cycles;
      all += share;
      if (share > use.share) use = {.share = share, .busiest = operand};
    }
    return machine_.memories[memory].shared_port ? ResourceUse{.share = all} : use;
  }

  // Returns the cycles of row activations: of the operand with the most activations or, if operands share a
  // port, of all operands.
  double opening_use(const Memory& dram) const {
    Int most = 0;
    Int all = 0;
    for (const Int rows : base_.evaluation.row_activations) {
      most = std::max(most, rows);
      all += rows;
    }
    return static_cast<double>((dram.shared_port ? all : most) * dram.activation_cycles);
  }
};

}  // namespace

std::vector<LayerResource> explain_layer(const LayerShape& layer, const PimMachine& machine,
                                         const PimRequest& request, const PimLayerMap& map,
                                         const Resources& resources) {
  const Explainer explainer(layer, machine, request, map, resources);
  std::vector<LayerResource> reports;
  for (const Resource& resource : resources_of(machine))
    reports.push_back(explain_resource(explainer, resource));
  return reports;
}

}  // namespace nestor::mapper::pim
