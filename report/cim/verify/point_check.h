// Check of one mapping and its claimed cost, on a machine that can differ from the machine of the file.
// Internal to report/cim/verify.
#pragma once

#include <optional>

#include "model/cim/second_reading/figures.h"
#include "report/results/cim/result_file.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// The objective of the run, and the latency model and machine that determine its figures.
struct Terms {
  explicit Terms(const RunResult& result);

  verify::Wide cycles(const verify::CimFigures& figures) const {
    return stall ? figures.stall_cycles : figures.miredo_cycles;
  }
  long double energy(const verify::CimFigures& figures) const {
    return figures.total_energy_pj(machine, cycles(figures));
  }
  long double edp(const verify::CimFigures& figures) const { return figures.edp(machine, cycles(figures)); }
  /// Returns nothing for `pareto`, which has no single objective.
  std::optional<long double> objective_of(const verify::CimFigures& figures) const;

  const Architecture& machine;  ///< machine of the file, for its leakage and the positions of its memories
  bool stall = true;
  std::string objective;
  long double latency_weight = 1;   ///< mu1 of eq14, alpha of blended
  long double additive_weight = 1;  ///< mu2 of eq14, beta of blended
};

/// Returns the value of a given option, if it is a number.
std::optional<double> number_option(const RunResult& result, std::string_view name);

/// Checks the rules and the cost of one mapping onto `architecture`. Returns its figures if it is legal.
std::optional<verify::CimFigures> check_point(Claims& claims, const Terms& terms, const LayerShape& layer,
                                              const NamedArchitecture& architecture,
                                              const MappedPoint& point);

}  // namespace nestor::io
