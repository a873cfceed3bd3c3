#include "report/cim/verify/resource_check.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"

namespace nestor::io {

void ResourceCheck::spent_cycles() {
  Layer layer = layer_.layer;
  layer.shape = layer_.best.nest(layer.shape);
  const Json record = layer_to_json(layer);
  const Json mapping = mapping_to_json(*layer_.best.mapping, named_);
  std::set<std::string> timed;
  const auto latency = [&] {
    return check::cim::cycles_through(timed, terms_.stall, terms_.machine, record, mapping);
  };
  std::set<std::string> ports;
  for (const std::string& memory : named_.memory_names)
    for (const Operand operand : all_operands) ports.insert(sentence(memory, "/", letter(operand)));
  Int so_far = latency();
  claims_.json_number("spent_cycles of compute", layer_.spent_cycles, key::compute, so_far);
  for (const auto& [key, value] : layer_.spent_cycles.items()) {
    if (key == key::compute) continue;
    if (ports.contains(key))
      timed.insert(key);
    else
      claims_.finding(sentence("spent_cycles has '", key, "', which is not a memory/operand pair"));
    const Int now = latency();
    claims_.json_number("spent_cycles of " + key, layer_.spent_cycles, key, now - so_far);
    so_far = now;
  }
  if (so_far != cycles())
    claims_.finding(sentence("spent_cycles add up to ", so_far, ", but the latency is ", cycles()));
}

void ResourceCheck::resources() {
  for (const ResourceRecord& record : layer_.resources) resource(record);
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
  const Json& traffic = contract_.figures[key::traffic_bits];
  const auto port = traffic.find(sentence(named_.memory_names[memory], "/", letter(operand)));
  if (port == traffic.end()) return 0;
  return port->value(key::read, Int{0}) + port->value(key::write, Int{0});
}

double ResourceCheck::used(const ResourceRecord& record, std::size_t place) const {
  const auto amount = static_cast<double>(record.amount);
  const auto latency = static_cast<double>(cycles());
  if (record.resource.kind == Resource::Kind::compute) {
    double steps = 1;
    for (const Loop& loop : layer_.best.mapping->loops) steps *= static_cast<double>(loop.factor);
    return steps * amount / latency;
  }
  if (record.resource.kind == Resource::Kind::capacity)
    return contract_.figures[key::usage_bits].value(named_.memory_names[place], 0.0) / amount;
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

void ResourceCheck::share(std::string_view what, double claimed, double found) {
  claims_.compared();
  if (std::fabs(claimed - found) > verify_tolerance)
    claims_.finding(sentence(what, " is claimed as ", claimed, ", found ", found));
}

void ResourceCheck::resource(const ResourceRecord& record) {
  const std::string subject = claims_.subject();
  const auto& [kind, name] = record.resource;
  claims_.set_subject(sentence(subject, name, name.empty() ? "" : " ", resource_kinds.word(kind), ": "));
  const auto place = place_of(record.resource);
  if (!place) {
    claims_.finding("no such resource in the architecture");
  } else {
    Architecture machine = named_.machine;
    claims_.count(key::amount, record.amount, amount_in(machine, kind, *place));
    share("used", record.used.share, used(record, *place));
    if (record.used.busiest) {
      const auto bits = static_cast<double>(bits_through(*place, *record.used.busiest));
      share("used by the operand", record.used.share,
            bits / (static_cast<double>(record.amount) * static_cast<double>(cycles())));
    }
    if (record.step) change(record, *place, "one step more: ", *record.step);
    if (record.most) change(record, *place, "the most: ", *record.most);
    binding(record);
  }
  claims_.set_subject(subject);
}

void ResourceCheck::change(const ResourceRecord& record, std::size_t place, const char* which,
                           const ResourceChange<MappedPoint>& change) {
  const std::string subject = claims_.subject();
  claims_.set_subject(subject + which);
  NamedArchitecture architecture = named_;
  amount_in(architecture.machine, record.resource.kind, place) = change.amount;
  if (record.resource.kind == Resource::Kind::compute ? change.amount >= record.amount
                                                      : change.amount <= record.amount)
    claims_.finding(sentence("amount ", change.amount, " does not exceed ", record.amount));
  MappedPoint point = change.best;
  const bool moved = point.mapping.has_value();
  if (!moved) {  // the layer's own mapping on the changed machine
    point.mapping = layer_.best.mapping;
    point.padded = layer_.best.padded;
  }
  check_point(claims_, terms_, layer_.layer, architecture_to_json(architecture), point);
  if (point.objective && layer_.best.objective) {
    const double before = *layer_.best.objective;
    const double saved = before - *point.objective;
    share("gain", change.gain, before == 0 ? 0 : saved / std::fabs(before));
  }
  if (change.lower_bound && point.objective) {
    const bool equal = agrees(*change.lower_bound, *point.objective);
    if (*change.lower_bound > *point.objective && !equal)
      claims_.finding(sentence("lower_bound ", *change.lower_bound, " is above ", *point.objective));
    if (change.status == Status::optimal && !equal)
      claims_.finding(sentence("is claimed optimal, with lower_bound ", *change.lower_bound, " below ",
                               *point.objective));
  }
  claims_.set_subject(subject);
}

void ResourceCheck::binding(const ResourceRecord& record) {
  auto found = Binding::no;
  if (record.step && record.most) {
    const bool settled = record.step->status == Status::optimal && record.most->status == Status::optimal;
    if (record.step->gain > 0)
      found = layer_.status == Status::optimal ? Binding::yes : Binding::unknown;
    else
      found = !settled ? Binding::unknown : record.most->gain > 0 ? Binding::later : Binding::no;
  }
  if (record.binding != found)
    claims_.finding(sentence("binds is claimed as '", bindings.word(record.binding), "', found '",
                             bindings.word(found), "'"));
}

}  // namespace nestor::io
