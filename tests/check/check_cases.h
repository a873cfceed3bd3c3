// Random cases of the cim space as the independent checker reads them from a result file, with their
// objectives and exact costs.
#pragma once

#include <vector>

#include "io/cim/architecture_file.h"
#include "io/cim/mapping_file.h"
#include "io/layer_file.h"
#include "prove.h"
#include "support/random_cases.h"

namespace nestor::check_cases {

/// A layer and a machine, as the checker reads them from a result file.
struct CheckedCimCase {
  explicit CheckedCimCase(const tests::RandomCase& sample)
      : machine(check::read_machine(io::architecture_to_json(sample.architecture))) {
    Layer named;
    named.name = "layer";
    named.shape = sample.layer;
    layer = check::read_layer(io::layer_to_json(named));
  }
  check::Machine machine;
  check::Layer layer;
};

/// A requested objective. `word` is its name in a result file; "pareto" requests a front.
struct Asked {
  std::string word;
  bool miredo = false;
  std::string mu2{};  ///< for eq14; empty: the default, which only breaks ties
};

/// The weight mu1 of eq14 if mu2 is given. objective_of() writes the same value as an option.
inline constexpr double given_mu1 = 0.5;

inline std::string to_string(const Asked& asked) {
  return asked.word + (asked.mu2.empty() ? "" : " mu2 " + asked.mu2) + (asked.miredo ? " miredo" : " stall");
}

/// Returns the objective as read from a file. A blended objective has the weights 0.3 and 0.2.
inline check::Objective objective_of(const Asked& asked, const check::Machine& machine) {
  check::Json options = {{"alpha", "0.3"}, {"beta", "0.2"}};
  if (!asked.mu2.empty()) options.update({{"mu1", "0.5"}, {"mu2", asked.mu2}});
  return check::read_objective(
      {{"objective", {{"name", asked.word}, {"latency_model", asked.miredo ? "miredo" : "stall"}}},
       {"options", options}},
      machine);
}

/// Returns all objectives except the front. With the three values of mu2 for eq14, sizes only break ties,
/// outweigh a few cycles, or dominate.
inline std::vector<Asked> objectives(bool miredo) {
  return {{"latency", miredo}, {"energy", miredo},        {"edp", miredo},      {"blended", miredo},
          {"eq14", miredo},    {"eq14", miredo, "0.002"}, {"eq14", miredo, "2"}};
}

/// Returns the decimal that a result file contains for the cost `cost` / `unit`. It is exact if the unit is a
/// power of ten, and otherwise rounded.
inline check::Decimal decimal(check::Wide cost, check::Wide unit) {
  check::Decimal decimal{cost, 0};
  for (; unit % 10 == 0; unit /= 10) ++decimal.places;
  if (unit == 1) return decimal;
  constexpr int more = 14;
  return {check::times(cost, check::power_of_ten(more)) / unit, decimal.places + more};
}
/// Returns the decimal for a cost that is about one millionth higher.
inline check::Decimal decimal_above(check::Wide cost, check::Wide unit) {
  return decimal(cost + std::max(cost, -cost) / 1'000'000 + 1, unit);
}

/// Returns the checker's cost of a mapping: its latency, and its energy or, for eq14, its sizes.
inline check::MappingCost exact_cost(const tests::RandomCase& sample, const CheckedCimCase& problem,
                                     const Asked& asked, const Mapping& mapping) {
  const auto json = io::mapping_to_json(mapping, sample.architecture);
  const std::string word = asked.word == "eq14" ? "eq14" : "edp";
  const check::Claim both(objective_of({word, asked.miredo, asked.mu2}, problem.machine), problem.machine);
  return check::cost_of({problem.layer, problem.machine, both}, check::read_mapping(json, problem.machine));
}

}  // namespace nestor::check_cases
