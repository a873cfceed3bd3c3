// Random cases as the independent checker reads them from a result file.
#pragma once

#include <vector>

#include "check/prove.h"
#include "io/architecture_file.h"
#include "io/layer_file.h"
#include "io/mapping_file.h"
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

inline std::vector<check::Objective> objectives(bool miredo) {
  std::vector<check::Objective> all;
  for (const auto kind : {check::Kind::latency, check::Kind::energy, check::Kind::edp, check::Kind::blended})
    all.push_back({.kind = kind,
                   .miredo = miredo,
                   .alpha = 3,
                   .beta = kind == check::Kind::blended ? 2 : 1,
                   .weight_places = 1});
  return all;
}

inline check::Cost exact_cost(const testing::RandomCase& sample, const Problem& problem,
                              const check::Objective& objective, const Mapping& mapping) {
  const auto json = io::mapping_to_json(mapping, sample.architecture);
  return check::cost_of(problem.layer, problem.machine, objective,
                        check::read_mapping(json, problem.machine));
}

}  // namespace nestor::check_cases
