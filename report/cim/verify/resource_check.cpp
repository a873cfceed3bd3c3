#include "report/cim/verify/resource_check.h"

#include <algorithm>
#include <cmath>

#include "model/loopnest/second_reading/sentence.h"
#include "report/keys/common.h"

namespace nestor::io {

using verify::sentence;
using verify::Wide;

void ResourceCheck::spent_cycles() {
  const Architecture& machine = named_.machine;
  const LayerShape shape = layer_.best.nest(layer_.layer.shape);
  std::array<OperandSet, max_memories> timed{};
  const auto latency = [&] {
    return verify::cycles_through(timed, terms_.stall, shape, machine, *layer_.best.mapping);
  };
  Wide so_far = latency();
  claims_.json_number("spent_cycles of compute", layer_.spent_cycles, key::compute,
                      static_cast<long double>(so_far));
  for (const auto& [key, value] : layer_.spent_cycles.items()) {
    if (key == key::compute) continue;
    bool known = false;
    for (std::size_t m = 0; m < machine.memories.size(); ++m)
      for (const Operand operand : all_operands) {
        if (key != sentence(named_.memory_names[m], "/", letter(operand))) continue;
        known = true;
        timed[m].insert(operand);
      }
    if (!known) claims_.finding(sentence("spent_cycles has '", key, "', which is not a memory/operand pair"));
    const Wide now = latency();
    claims_.json_number("spent_cycles of " + key, layer_.spent_cycles, key,
                        static_cast<long double>(now - so_far));
    so_far = now;
  }
  if (so_far != terms_.cycles(figures_))
    claims_.finding(
        sentence("spent_cycles add up to ", so_far, ", but the latency is ", terms_.cycles(figures_)));
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

long double ResourceCheck::used(const ResourceRecord& record, std::size_t place) const {
  const auto amount = static_cast<long double>(record.amount);
  const auto cycles = static_cast<long double>(terms_.cycles(figures_));
  if (record.resource.kind == Resource::Kind::compute)
    return static_cast<long double>(figures_.steps) * amount / cycles;
  if (record.resource.kind == Resource::Kind::capacity)
    return static_cast<long double>(figures_.usage_bits[place]) / amount;
  if (record.resource.kind == Resource::Kind::axis) {
    long double lanes = 1;
    for (const Int factor : layer_.best.mapping->spatial[place]) lanes *= static_cast<long double>(factor);
    return lanes / amount;
  }
  Wide most = 0;
  for (std::size_t x = 0; x < operand_count; ++x)
    if (place != named_.machine.innermost(all_operands[x]))
      most = std::max(most, figures_.read_bits[place][x] + figures_.write_bits[place][x]);
  return static_cast<long double>(most) / (amount * cycles);
}

void ResourceCheck::share(std::string_view what, double claimed, long double found) {
  claims_.compared();
  if (std::fabs(static_cast<long double>(claimed) - found) > static_cast<long double>(verify_tolerance))
    claims_.finding(sentence(what, " is claimed as ", claimed, ", found ", static_cast<double>(found)));
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
      const auto x = index_of(*record.used.busiest);
      const Wide bits = figures_.read_bits[*place][x] + figures_.write_bits[*place][x];
      share("used by the operand", record.used.share,
            static_cast<long double>(bits) / (static_cast<long double>(record.amount) *
                                              static_cast<long double>(terms_.cycles(figures_))));
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
  check_point(claims_, terms_, layer_.layer.shape, architecture, point);
  if (point.objective && layer_.best.objective) {
    const long double before = *layer_.best.objective;
    const long double saved = before - static_cast<long double>(*point.objective);
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
