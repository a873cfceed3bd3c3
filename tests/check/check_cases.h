// Random cases as the independent checker reads them from a result file.
#pragma once

#include <vector>

#include "io/architecture_file.h"
#include "io/layer_file.h"
#include "io/mapping_file.h"
#include "prove.h"
#include "support/random_cases.h"

namespace nestor::check_cases {

/// As the checker reads a case from a result file.
struct Problem {
  explicit Problem(const testing::RandomCase& sample)
      : machine(check::read_machine(io::architecture_to_json(sample.architecture))) {
    Layer named;
    named.name = "layer";
    named.shape = sample.layer;
    layer = check::read_layer(io::layer_to_json(named));
  }
  check::Machine machine;
  check::Layer layer;
};

/// An objective by its word in a result file, "pareto" for a front.
struct Asked {
  std::string word;
  bool miredo = false;
};

/// Of a blended one the weights are 0.3 and 0.2.
inline check::Objective objective_of(const Asked& asked, const check::Machine& machine) {
  return check::read_objective({{"objective", asked.word},
                                {"latency_model", asked.miredo ? "miredo" : "stall"},
                                {"options", {{"alpha", "0.3"}, {"beta", "0.2"}}}},
                               machine);
}

inline std::vector<Asked> objectives(bool miredo) {
  return {{"latency", miredo}, {"energy", miredo}, {"edp", miredo}, {"blended", miredo}};
}

/// A cost in units, as it stands in a file.
inline check::Decimal decimal(check::Wide cost, check::Wide unit) {
  check::Decimal decimal{cost, 0};
  for (; unit > 1; unit /= 10) ++decimal.places;
  return decimal;
}

inline check::MappingCost exact_cost(const testing::RandomCase& sample, const Problem& problem, bool miredo,
                                     const Mapping& mapping) {
  const auto json = io::mapping_to_json(mapping, sample.architecture);
  const check::Claim both(objective_of({"edp", miredo}, problem.machine), problem.machine);
  return check::cost_of({problem.layer, problem.machine, both}, check::read_mapping(json, problem.machine));
}

/// In units of the claim's objective.
inline check::Wide cost_of(const check::Claim& claim, const check::Cost& parts) {
  return claim.cost(parts.latency, claim.with_leakage(parts.latency, parts.energy));
}

}  // namespace nestor::check_cases
