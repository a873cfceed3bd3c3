#include "report/cim/verify/resource_check.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "check/cim/contract.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "report/keys/cim.h"

namespace nestor::io {

std::string port_name(const std::string& memory, Operand operand) {
  return fmt::format("{}/{}", memory, letter(operand));
}

Json ResourceCheck::spent_cycles(const Json& machine, bool stall, const std::string& path) const {
  Layer layer = layer_.layer;
  layer.shape = layer_.best.nest(layer.shape);
  const Json record = layer_to_json(layer);
  const Json mapping = mapping_to_json(*layer_.best.mapping, named_);
  std::set<std::string> ports;
  for (const std::string& memory : named_.memory_names)
    for (const Operand operand : all_operands) ports.insert(port_name(memory, operand));
  std::set<std::string> timed;
  const auto latency = [&] { return check::cim::cycles_through(timed, stall, machine, record, mapping); };
  Int so_far = latency();
  Json found = {{key::compute, so_far}};
  for (const auto& [key, value] : layer_.spent_cycles.items()) {
    if (!ports.contains(key)) continue;
    timed.insert(key);
    const Int now = latency();
    found[key] = now - so_far;
    so_far = now;
  }
  if (so_far != cycles_)
    comparison_.find(
        fmt::format("{}spent_cycles add up to {}, but the latency is {}", path, so_far, cycles_));
  return found;
}

Json ResourceCheck::resources(const Json& claims, const std::string& path) const {
  Json found = claims[key::resources];
  std::set<std::pair<Resource::Kind, std::string>> resources;
  for (std::size_t i = 0; i < layer_.resources.size(); ++i) {
    const auto& record = layer_.resources[i];
    const auto place = fmt::format("{}resources[{}].", path, i);
    if (!resources.insert({record.resource.kind, record.resource.name}).second)
      comparison_.find(place + "resource is listed twice");
    resource(found[i], record, place);
  }
  return found;
}

std::optional<std::size_t> ResourceCheck::place_of(const NamedResource& resource) const {
  if (resource.kind == Resource::Kind::compute) return 0;
  const auto& names = resource.kind == Resource::Kind::axis ? named_.axis_names : named_.memory_names;
  const auto place = std::find(names.begin(), names.end(), resource.name);
  if (place == names.end()) return std::nullopt;
  return static_cast<std::size_t>(place - names.begin());
}

Int& ResourceCheck::amount_in(Architecture& machine, Resource::Kind kind, std::size_t place) const {
  if (kind == Resource::Kind::compute) return machine.mvm_cycles;
  if (kind == Resource::Kind::axis) return machine.axes[place].size;
  return kind == Resource::Kind::bandwidth ? machine.memories[place].bandwidth
                                           : machine.memories[place].capacity;
}

Int ResourceCheck::bits_through(std::size_t memory, Operand operand) const {
  const Json& traffic = best_.figures[key::traffic_bits];
  const auto port = traffic.find(port_name(named_.memory_names[memory], operand));
  if (port == traffic.end()) return 0;
  return port->value(key::read, Int{0}) + port->value(key::write, Int{0});
}

double ResourceCheck::used(const ResourceRecord& record, std::size_t place) const {
  const auto amount = static_cast<double>(record.amount);
  const auto latency = static_cast<double>(cycles_);
  if (record.resource.kind == Resource::Kind::compute) {
    double steps = 1;
    for (const Loop& loop : layer_.best.mapping->loops) steps *= static_cast<double>(loop.factor);
    return steps * amount / latency;
  }
  if (record.resource.kind == Resource::Kind::capacity)
    return best_.figures[key::usage_bits].value(named_.memory_names[place], 0.0) / amount;
  if (record.resource.kind == Resource::Kind::axis) {
    double lanes = 1;
    for (const Int factor : layer_.best.mapping->spatial[place]) lanes *= static_cast<double>(factor);
    return lanes / amount;
  }
  Int most = 0;
  for (const Operand operand : all_operands)
    if (place != named_.machine.innermost(operand)) most = std::max(most, bits_through(place, operand));
  return static_cast<double>(most) / (amount * latency);
}

void ResourceCheck::resource(Json& found, const ResourceRecord& record, const std::string& path) const {
  const auto place = place_of(record.resource);
  if (!place) return comparison_.find(path + "name is not that of such a resource of the architecture");
  Architecture machine = named_.machine;
  const Int amount = amount_in(machine, record.resource.kind, *place);
  const double share = used(record, *place);
  found[key::amount] = amount;
  found[key::used] = share;
  if (record.used.busiest) {
    const auto bits = static_cast<double>(bits_through(*place, *record.used.busiest));
    if (!nearly_equal(share, bits / (static_cast<double>(record.amount) * static_cast<double>(cycles_))))
      comparison_.find(path + "operand does not transfer the most bits");
  }
  if (record.step) change(found[key::step], record, *place, *record.step, path + "step.");
  if (record.most) change(found[key::most], record, *place, *record.most, path + "most.");
  auto binding = Binding::no;
  if (record.step && record.most) {
    const bool settled = record.step->status == Status::optimal && record.most->status == Status::optimal;
    if (record.step->gain > 0)
      binding = layer_.status == Status::optimal ? Binding::yes : Binding::unknown;
    else
      binding = !settled ? Binding::unknown : record.most->gain > 0 ? Binding::later : Binding::no;
  }
  found[key::binds] = bindings.word(binding);
}

void ResourceCheck::change(Json& found, const ResourceRecord& record, std::size_t place,
                           const ResourceChange<CimPoint>& change, const std::string& path) const {
  if (record.resource.kind == Resource::Kind::compute ? change.amount >= record.amount
                                                      : change.amount <= record.amount)
    comparison_.find(
        fmt::format("{}amount {} is not an improvement of {}", path, change.amount, record.amount));
  NamedArchitecture architecture = named_;
  amount_in(architecture.machine, record.resource.kind, place) = change.amount;
  CimPoint point = change.best;
  const bool moved = point.mapping.has_value();
  if (!moved) {  // the layer's own mapping on the changed machine
    point.mapping = layer_.best.mapping;
    point.padded = layer_.best.padded;
  }
  auto again = point_of_(point, architecture_to_json(architecture), path);
  if (!again) return;
  if (again->objective) again->json[key::objective] = *again->objective;
  for (const auto& [key, value] : again->json.items())
    if (moved || found.contains(key)) found[key] = value;
  if (!point.objective) return;
  if (layer_.best.objective) {
    const double before = *layer_.best.objective;
    found[key::gain] = before == 0 ? 0 : (before - *point.objective) / std::fabs(before);
  }
  if (change.lower_bound && !nearly_equal(*change.lower_bound, *point.objective) &&
      (*change.lower_bound > *point.objective || change.status == Status::optimal))
    comparison_.find(fmt::format("{}status is {} with lower_bound {}, found {}", path,
                                 to_string(change.status), *change.lower_bound, *point.objective));
}

}  // namespace nestor::io
