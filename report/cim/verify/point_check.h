// Check of one mapping and its claimed cost, on a machine that can differ from the machine of the file.
// Internal to report/cim/verify.
#pragma once

#include <optional>

#include "check/cim/contract.h"
#include "report/results/cim/result_file.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// The objective of the run, and the latency model and machine that determine its figures. `figures` are
/// those of a contract (check/cim/contract.h).
struct Terms {
  explicit Terms(const RunResult& result);

  Int cycles(const Json& figures) const;
  /// Return the energy with leakage, eq. (7.6), and the energy-delay product, eq. (7.7).
  double energy(const Json& figures) const;
  double edp(const Json& figures) const;
  /// Returns nothing for `pareto`, which has no single objective.
  std::optional<double> objective_of(const Json& figures) const;

  const NamedArchitecture& architecture;  ///< of the file, for its leakage and the names of its memories
  const Json machine;                     ///< the same, as a contract reads it
  bool stall = true;
  std::string objective;
  double latency_weight = 1;   ///< mu1 of eq14, alpha of blended
  double additive_weight = 1;  ///< mu2 of eq14, beta of blended
};

/// Returns the value of a given option, if it is a number.
std::optional<double> number_option(const RunResult& result, std::string_view name);

/// Checks the rules and the cost of one mapping onto a machine, whose memories and axes have the names of
/// those in the file. Returns its contract if it is legal.
std::optional<check::Contract> check_point(Claims& claims, const Terms& terms, Layer layer,
                                           const Json& machine, const MappedPoint& point);

}  // namespace nestor::io
