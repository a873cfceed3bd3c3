// Check of a machine's resources in a result of a loop-nest space: the use of each resource, and mappings
// onto machines with another amount of one resource. Their optimality is a claim of the search that is not
// checked here. A space derives from ResourceCheck and supplies its own parts.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "model/loopnest/space/machine_resource.h"
#include "report/keys/common.h"
#include "report/verify/nest_check.h"

namespace nestor::io {

/// Returns the name of the port by which an operand uses a memory: "buffer/W".
inline std::string port_name(const std::string& memory, Operand operand) {
  return fmt::format("{}/{}", memory, letter(operand));
}

template <class Record, class Machine>
class ResourceCheck {
 public:
  using Point = decltype(Record::best);
  /// Returns what a result must state about a mapping onto a machine, or nothing if the mapping is illegal.
  using PointOf =
      std::function<std::optional<FoundPoint>(const Point&, const Json& machine, const std::string& path)>;

  /// `claims` are those of the layer, and `best` is its mapping.
  ResourceCheck(Comparison& comparison, const NamedMachine<Machine>& machine, const Record& layer,
                const Json& claims, const FoundPoint& best, PointOf point_of)
      : comparison_(comparison),
        named_(machine),
        layer_(layer),
        claims_(claims),
        best_(best),
        cycles_(best.json[key::latency_cycles].template get<Int>()),
        point_of_(std::move(point_of)) {}
  virtual ~ResourceCheck() = default;

  Json resources(const std::string& path) const {
    Json found = claims_[key::resources];
    std::set<std::pair<Resource::Kind, std::string>> seen;
    for (std::size_t i = 0; i < layer_.resources.size(); ++i) {
      const auto& report = layer_.resources[i];
      const auto place = fmt::format("{}resources[{}].", path, i);
      if (!seen.insert({report.resource.kind, report.resource.name}).second)
        comparison_.find(place + "resource is listed twice");
      resource(found[i], report, place);
    }
    return found;
  }

 protected:
  using Report = NamedReport<Point>;

  virtual Json machine_json(const NamedMachine<Machine>& machine) const = 0;
  virtual const Mapping& nest() const = 0;
  /// Figures of the mapping, among them `usage_bits`.
  virtual const Json& figures() const = 0;
  /// Returns the cycles in which an operand moves bits through the inner side of a memory at its full rate.
  virtual double moving_cycles(std::size_t memory, Operand operand) const = 0;
  virtual bool is_shared(std::size_t /*memory*/) const { return false; }
  /// Returns the cycles of row activations in a memory.
  virtual double opening_cycles(std::size_t /*memory*/) const { return 0; }
  virtual Int amount(const Resource& resource, const Machine& machine) const {
    return amount_of(resource, machine);
  }
  virtual void set_amount(const Resource& resource, Int amount, Machine& machine) const {
    amount_of(resource, machine) = amount;
  }
  /// Returns those keys of a point that a mapping onto a changed machine has.
  virtual Json keys_of_change(Json point) const { return point; }

  Comparison& comparison_;
  const NamedMachine<Machine>& named_;
  const Record& layer_;
  const Json& claims_;
  const FoundPoint& best_;
  const Int cycles_;

 private:
  std::optional<Resource> find(const NamedResource& named) const {
    if (named.kind == Resource::Kind::compute) return Resource{named.kind, 0};
    const auto& names = named.kind == Resource::Kind::axis ? named_.axis_names : named_.memory_names;
    const auto place = std::find(names.begin(), names.end(), named.name);
    if (place == names.end()) return std::nullopt;
    return Resource{named.kind, static_cast<std::size_t>(place - names.begin())};
  }

  double share_moving(std::size_t memory, Operand operand) const {
    return moving_cycles(memory, operand) / static_cast<double>(cycles_);
  }

  double used(const Resource& resource, Int amount) const {
    const auto whole = static_cast<double>(amount);
    const auto latency = static_cast<double>(cycles_);
    switch (resource.kind) {
      case Resource::Kind::compute: {
        double steps = 1;
        for (const Loop& loop : nest().loops) steps *= static_cast<double>(loop.factor);
        return steps * whole / latency;
      }
      case Resource::Kind::capacity:
        return figures()[key::usage_bits].value(named_.memory_names[resource.place], 0.0) / whole;
      case Resource::Kind::axis: {
        double lanes = 1;
        for (const Int factor : nest().spatial[resource.place]) lanes *= static_cast<double>(factor);
        return lanes / whole;
      }
      case Resource::Kind::bandwidth: {
        double most = 0;
        double all = 0;
        for (const Operand operand : all_operands) {
          most = std::max(most, share_moving(resource.place, operand));
          all += share_moving(resource.place, operand);
        }
        return is_shared(resource.place) ? all : most;
      }
      case Resource::Kind::banks:
      case Resource::Kind::activation:
        return opening_cycles(resource.place) / latency;
    }
    return 0;
  }

  void resource(Json& found, const Report& report, const std::string& path) const {
    const auto resource = find(report.resource);
    if (!resource) return comparison_.find(path + "name is not that of such a resource of the architecture");
    const Int now = amount(*resource, named_.machine);
    const double share = used(*resource, now);
    found[key::amount] = now;
    found[key::used] = share;
    if (report.used.busiest && !nearly_equal(share, share_moving(resource->place, *report.used.busiest)))
      comparison_.find(path + "operand does not transfer the most bits");
    if (report.step) change(found[key::step], report, *resource, *report.step, path + "step.");
    if (report.most) change(found[key::most], report, *resource, *report.most, path + "most.");
    auto binding = Binding::no;
    if (report.step && report.most) {
      const bool settled = report.step->status == Status::optimal && report.most->status == Status::optimal;
      const bool proved = claims_.value(key::status, Json()) == to_string(Status::optimal);
      if (report.step->gain > 0)
        binding = proved ? Binding::yes : Binding::unknown;
      else
        binding = !settled ? Binding::unknown : report.most->gain > 0 ? Binding::later : Binding::no;
    }
    found[key::binds] = bindings.word(binding);
  }

  // True if a smaller amount is better: cycles.
  static bool counts_cycles(Resource::Kind kind) {
    return kind == Resource::Kind::compute || kind == Resource::Kind::activation;
  }

  void change(Json& found, const Report& report, const Resource& resource,
              const ResourceChange<Point>& change, const std::string& path) const {
    if (counts_cycles(resource.kind) ? change.amount >= report.amount : change.amount <= report.amount)
      comparison_.find(
          fmt::format("{}amount {} is not an improvement of {}", path, change.amount, report.amount));
    auto machine = named_;
    set_amount(resource, change.amount, machine.machine);
    Point point = change.best;
    const bool moved = point.mapping.has_value();
    if (!moved) {  // the layer's own mapping on the changed machine
      point.mapping = layer_.best.mapping;
      point.padded = layer_.best.padded;
    }
    const auto again = point_of_(point, machine_json(machine), path);
    if (!again) return;
    Json figures_again = keys_of_change(again->json);
    if (again->objective) figures_again[key::objective] = *again->objective;
    for (const auto& [key, value] : figures_again.items())
      if (moved || found.contains(key)) found[key] = value;
    if (!point.objective) return;
    if (best_.objective) {
      const double before = *best_.objective;
      found[key::gain] = before == 0 ? 0 : (before - *point.objective) / std::fabs(before);
    }
    if (change.lower_bound && !nearly_equal(*change.lower_bound, *point.objective) &&
        (*change.lower_bound > *point.objective || change.status == Status::optimal))
      comparison_.find(fmt::format("{}status is {} with lower_bound {}, found {}", path,
                                   to_string(change.status), *change.lower_bound, *point.objective));
  }

  PointOf point_of_;
};

}  // namespace nestor::io
