#include "report/cim/verify/point_check.h"

#include "base/parse_number.h"
#include "model/cim/second_reading/rules.h"
#include "model/loopnest/second_reading/sentence.h"
#include "report/keys/common.h"

namespace nestor::io {

using verify::CimFigures;
using verify::sentence;

Terms::Terms(const RunResult& result)
    : machine(result.architecture.machine),
      stall(result.objective.latency_model == "stall"),
      objective(result.objective.name) {
  if (objective == "eq14") {
    latency_weight = number_option(result, "mu1").value_or(1);
    const auto mu2 = number_option(result, "mu2");
    additive_weight = mu2 ? static_cast<long double>(*mu2) : verify::default_mu2(machine);
  } else if (objective == "blended") {
    latency_weight = number_option(result, "alpha").value_or(1);
    additive_weight = number_option(result, "beta").value_or(1);
  }
}

std::optional<long double> Terms::objective_of(const CimFigures& figures) const {
  const auto latency = static_cast<long double>(cycles(figures));
  if (objective == "latency") return latency;
  if (objective == "energy") return energy(figures);
  if (objective == "edp") return edp(figures);
  if (objective == "eq14") return figures.eq14(machine, cycles(figures), latency_weight, additive_weight);
  if (objective == "blended") return latency_weight * latency + additive_weight * energy(figures);
  return std::nullopt;
}

std::optional<double> number_option(const RunResult& result, std::string_view name) {
  for (const auto& [key, text] : result.options) {
    if (key == name) return parse_number<double>(text);
  }
  return std::nullopt;
}

std::optional<CimFigures> check_point(Claims& claims, const Terms& terms, const LayerShape& layer,
                                      const NamedArchitecture& architecture, const MappedPoint& point) {
  if (!point.mapping) return std::nullopt;
  const LayerShape shape = point.nest(layer);
  for (const Dim dim : all_dims)
    if (shape.bound(dim) < layer.bound(dim))
      claims.finding(sentence("padded ", letter(dim), " is ", shape.bound(dim), ", less than the layer's ",
                              layer.bound(dim)));
  claims.mapping_seen();
  const auto broken = verify::broken_rules(shape, architecture, *point.mapping);
  for (const std::string& rule : broken) claims.finding(rule);
  if (!broken.empty()) return std::nullopt;
  const CimFigures figures = verify::recompute(shape, architecture.machine, *point.mapping);
  claims.count(key::latency_cycles, point.latency_cycles, terms.cycles(figures));
  claims.amount(key::energy_pj, point.energy_pj, terms.energy(figures));
  claims.amount(key::edp, point.edp, terms.edp(figures));
  if (const auto objective = terms.objective_of(figures))
    claims.amount(key::objective, point.objective, *objective);
  return figures;
}

}  // namespace nestor::io
