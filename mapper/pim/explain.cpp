#include "mapper/pim/explain.h"

#include <algorithm>
#include <cmath>

#include "model/loopnest/tiles.h"
#include "model/pim/admission.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::Machine;
using Kind = Resource::Kind;

constexpr Int most_axis_growth = 8;  // searches grow with an axis, without end in sight

Int doubled(Int amount) { return checked_multiply(amount, 2).value_or(amount); }

// Of a port whose two ways differ, the narrower one.
Int port_bandwidth(const Memory& memory) {
  const Int in = memory.read_bandwidth > 0 ? memory.read_bandwidth : memory.bandwidth;
  const Int out = memory.write_bandwidth > 0 ? memory.write_bandwidth : memory.bandwidth;
  return std::min(in, out);
}

Int amount_now(const Resource& resource, const Machine& machine) {
  return resource.kind == Kind::bandwidth ? port_bandwidth(machine.memories[resource.place])
                                          : amount_of(resource, machine);
}

// A port that is widened is no narrower either way than it was.
void set_amount(const Resource& resource, Int amount, Machine& machine) {
  if (resource.kind != Kind::bandwidth) {
    amount_of(resource, machine) = amount;
    return;
  }
  Memory& memory = machine.memories[resource.place];
  for (Int* bandwidth : {&memory.bandwidth, &memory.read_bandwidth, &memory.write_bandwidth})
    if (*bandwidth > 0) *bandwidth = std::max(*bandwidth, amount);
}

std::vector<Resource> resources_of(const Machine& machine) {
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

class Explainer {
 public:
  Explainer(const LayerShape& layer, const Machine& machine, const Request& request, const LayerMap& map,
            const Resources& resources)
      : layer_(layer),
        machine_(machine),
        request_(request),
        resources_(resources),
        base_(map.best.front()),
        base_proved_(map.status == Status::optimal) {
    request_.top = 1;
    // One deadline for all searches of the layer, not one each.
    resources_.deadline = resources.deadline_of_layer(request.layer_seconds, Resources::Clock::now());
    request_.layer_seconds = std::numeric_limits<double>::infinity();
  }

  ResourceReport report(const Resource& resource, bool& wrong) const {
    ResourceReport report;
    report.resource = resource;
    report.amount = amount_now(resource, machine_);
    set_use(report);
    const auto [step, most] = amounts(resource);
    if (most == report.amount || !matters(resource)) return report;
    report.most = change(resource, most, wrong);
    // More never hurts: where the most of it gains nothing, neither does a step.
    const bool hopeless = report.most->status == Status::optimal && report.most->gain == 0;
    report.step = hopeless ? unchanged(step) : step == most ? *report.most : change(resource, step, wrong);
    if (report.step->gain > 0)
      report.binding = base_proved_ ? Binding::yes : Binding::unknown;
    else if (report.step->status != Status::optimal || report.most->status != Status::optimal)
      report.binding = Binding::unknown;
    else
      report.binding = report.most->gain > 0 ? Binding::later : Binding::no;
    return report;
  }

 private:
  void set_use(ResourceReport& report) const {
    const PimEvaluation& evaluation = base_.evaluation;
    const auto cycles = static_cast<double>(evaluation.latency_cycles);
    const auto amount = static_cast<double>(report.amount);
    const std::size_t place = report.resource.place;
    switch (report.resource.kind) {
      case Kind::compute:
        report.used = static_cast<double>(evaluation.compute_cycles - machine_.reduction_latency) / cycles;
        break;
      case Kind::bandwidth: {
        double shared = 0;
        for (const Operand operand : all_operands) {
          const double used =
              static_cast<double>(evaluation.bits[place][index_of(operand)]) / (amount * cycles);
          shared += used;
          if (used <= report.used) continue;
          report.used = used;
          report.busiest = operand;
        }
        if (!machine_.memories[place].shared_port) break;
        report.used = shared;
        report.busiest.reset();
        break;
      }
      case Kind::capacity:
        report.used = static_cast<double>(evaluation.usage_bits[place]) / amount;
        break;
      case Kind::axis:
        report.used = product_of<double>(base_.mapping.nest.spatial[place]) / amount;
        break;
      case Kind::banks:
      case Kind::activation: {  // of the operand that opens most rows, or of all in turn
        Int most = 0;
        Int all = 0;
        for (const Int rows : evaluation.row_activations) {
          most = std::max(most, rows);
          all += rows;
        }
        const Memory& dram = machine_.memories[place];
        report.used = static_cast<double>((dram.shared_port ? all : most) * dram.activation_cycles) / cycles;
        break;
      }
    }
  }

  // Twice as much, and as much as the layer could use.
  std::pair<Int, Int> amounts(const Resource& resource) const {
    const Int now = amount_now(resource, machine_);
    Int most = now;
    switch (resource.kind) {
      case Kind::compute:
        return {now - now / 2, 1};
      case Kind::activation:
        return {now / 2, 0};
      case Kind::axis:
        return {doubled(now), checked_multiply(now, most_axis_growth).value_or(now)};
      case Kind::banks:
        while (most <= nestor::pim::max_banks / 2) most *= 2;  // banks that split cause no more activations
        return {std::min(doubled(now), most), most};
      case Kind::bandwidth:
      case Kind::capacity: {
        Int all = 0;
        for (const Operand operand : all_operands) {
          const Int bits = elements(layer_, operand, layer_.bounds) * layer_.bits.widest(operand);
          all = std::max(all + (resource.kind == Kind::capacity ? bits : 0), bits);
        }
        most = std::max(now, all);
        return {std::min(doubled(now), most), most};
      }
    }
    return {now, now};
  }

  // Energy without leakage does not depend on how fast anything is, nor on cycles of a row that is opened.
  bool matters(const Resource& resource) const {
    const bool is_speed = resource.kind == Kind::compute || resource.kind == Kind::bandwidth ||
                          resource.kind == Kind::activation;
    return !is_speed || request_.objective.kind != nestor::pim::ObjectiveKind::energy || machine_.leakage > 0;
  }

  Change unchanged(Int amount) const {
    Change change;
    change.amount = amount;
    change.objective = base_.objective;
    change.bound = base_proved_ ? base_.objective : no_bound;
    change.status = base_proved_ ? Status::optimal : Status::gap_reached;
    return change;
  }

  Change change(const Resource& resource, Int amount, bool& wrong) const {
    Change change = unchanged(amount);
    Machine machine = machine_;
    set_amount(resource, amount, machine);
    if (nestor::pim::admit(layer_, machine) != nestor::pim::Refusal::none) {  // beyond what can be counted
      change.status = Status::memory_limit;
      change.bound = no_bound;
      return change;
    }
    // The mapping at hand, at what it costs there.
    Request request = request_;
    if (resource.kind == Kind::axis)
      keep_least_lanes(resource.place, machine_.axes[resource.place].size, amount, request.constraints);
    const auto problem = problem_of(layer_, machine, request);
    nestor::pim::RowCounter rows;
    MappedPoint here = base_;
    here.evaluation = evaluate(layer_, machine, here.mapping, rows);
    here.objective = nestor::pim::objective_value(problem.objective, here.evaluation);
    const LayerMap map = map_problem(problem, request, resources_, here.objective);
    wrong = wrong || map.wrong;
    if (!map.best.empty()) here = map.best.front();
    change.objective = here.objective;
    const bool proved = map.status == Status::optimal || map.status == Status::infeasible;  // nothing below
    change.status = proved ? Status::optimal : map.status;
    change.bound = proved ? here.objective : std::min(map.bound, here.objective);
    const double saved = base_.objective - here.objective;
    if (saved <= cost_tolerance * std::abs(base_.objective)) return change;
    change.gain = saved / std::abs(base_.objective);
    change.better = here;
    return change;
  }

  const LayerShape& layer_;
  const Machine& machine_;
  Request request_;
  Resources resources_;
  const MappedPoint& base_;
  bool base_proved_;
};

}  // namespace

Explanation explain_layer(const LayerShape& layer, const Machine& machine, const Request& request,
                          const LayerMap& map, const Resources& resources) {
  const Explainer explainer(layer, machine, request, map, resources);
  Explanation explanation;
  for (const Resource& resource : resources_of(machine))
    explanation.reports.push_back(explainer.report(resource, explanation.wrong));
  return explanation;
}

}  // namespace nestor::mapper::pim
