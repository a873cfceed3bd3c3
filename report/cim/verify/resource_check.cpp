#include "report/cim/verify/resource_check.h"

#include <set>

#include "check/cim/contract.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "report/keys/cim.h"

namespace nestor::io {

Json CimResourceCheck::spent_cycles(const Json& machine, bool stall, const std::string& path) const {
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

Json CimResourceCheck::machine_json(const NamedArchitecture& machine) const {
  return architecture_to_json(machine);
}

double CimResourceCheck::moving_cycles(std::size_t memory, Operand operand) const {
  const Json& traffic = best_.figures[key::traffic_bits];
  const auto port = traffic.find(port_name(named_.memory_names[memory], operand));
  if (port == traffic.end()) return 0;
  const Int bits = port->value(key::read, Int{0}) + port->value(key::write, Int{0});
  return static_cast<double>(bits) / static_cast<double>(named_.machine.memories[memory].bandwidth);
}

}  // namespace nestor::io
