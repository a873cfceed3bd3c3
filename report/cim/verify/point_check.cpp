#include "report/cim/verify/point_check.h"

#include "base/parse_number.h"
#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "report/keys/cim.h"
#include "report/keys/common.h"

namespace nestor::io {
namespace {

// Returns the default mu2 of `eq14`; 0 if every memory is a home or has unlimited capacity.
double default_mu2(const Architecture& machine) {
  double weight = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool is_home = false;
    for (const Operand operand : all_operands) is_home |= machine.home(operand) == m;
    if (!is_home && machine.memories[m].capacity != unlimited_capacity)
      weight += static_cast<double>(m) * static_cast<double>(machine.memories[m].capacity);
  }
  return weight > 0 ? 0.001 / weight : 0;
}

}  // namespace

Terms::Terms(const RunResult& result)
    : architecture(result.architecture),
      machine(architecture_to_json(result.architecture)),
      stall(result.objective.latency_model == "stall"),
      objective(result.objective.name) {
  if (objective == "eq14") {
    latency_weight = number_option(result, "mu1").value_or(1);
    additive_weight = number_option(result, "mu2").value_or(default_mu2(architecture.machine));
  } else if (objective == "blended") {
    latency_weight = number_option(result, "alpha").value_or(1);
    additive_weight = number_option(result, "beta").value_or(1);
  }
}

Int Terms::cycles(const Json& figures) const {
  return figures[stall ? key::stall_cycles : key::latency_cycles].get<Int>();
}

double Terms::energy(const Json& figures) const {
  return figures[key::energy_pj].get<double>() +
         architecture.machine.leakage * static_cast<double>(cycles(figures));
}

double Terms::edp(const Json& figures) const {
  return figures[stall ? key::stall_edp : key::edp].get<double>();
}

std::optional<double> Terms::objective_of(const Json& figures) const {
  const auto latency = static_cast<double>(cycles(figures));
  if (objective == "latency") return latency;
  if (objective == "energy") return energy(figures);
  if (objective == "edp") return edp(figures);
  if (objective == "blended") return latency_weight * latency + additive_weight * energy(figures);
  if (objective != "eq14") return std::nullopt;
  double locality = 0;  // eq. (8.1)
  for (std::size_t m = 0; m < architecture.memory_names.size(); ++m)
    for (const Operand operand : all_operands)
      locality +=
          static_cast<double>(m) *
          figures[key::sizes_bits].value(sentence(architecture.memory_names[m], "/", letter(operand)), 0.0);
  return latency_weight * latency - additive_weight * locality;
}

std::optional<double> number_option(const RunResult& result, std::string_view name) {
  for (const auto& [key, text] : result.options) {
    if (key == name) return parse_number<double>(text);
  }
  return std::nullopt;
}

std::optional<check::Contract> check_point(Claims& claims, const Terms& terms, Layer layer,
                                           const Json& machine, const MappedPoint& point) {
  if (!point.mapping) return std::nullopt;
  const LayerShape shape = point.nest(layer.shape);
  for (const Dim dim : all_dims)
    if (shape.bound(dim) < layer.shape.bound(dim))
      claims.finding(sentence("padded ", letter(dim), " is ", shape.bound(dim), ", less than the layer's ",
                              layer.shape.bound(dim)));
  claims.mapping_seen();
  layer.shape = shape;
  auto contract = check::cim::contract_of(machine, layer_to_json(layer),
                                          mapping_to_json(*point.mapping, terms.architecture));
  for (const std::string& fault : contract.faults) claims.finding(fault);
  if (!contract.faults.empty()) return std::nullopt;
  const Json& figures = contract.figures;
  claims.count(key::latency_cycles, point.latency_cycles, terms.cycles(figures));
  claims.amount(key::energy_pj, point.energy_pj, terms.energy(figures));
  claims.amount(key::edp, point.edp, terms.edp(figures));
  if (const auto objective = terms.objective_of(figures))
    claims.amount(key::objective, point.objective, *objective);
  return contract;
}

}  // namespace nestor::io
