// Tolerance of costs. Sums of the same terms in different orders differ in their last bits, so all
// comparisons (equal, optimal, below) use the same tolerance.
#pragma once

#include <algorithm>
#include <cmath>

namespace nestor {

/// Costs within this relative distance are treated as equal; claims of optimality hold within this tolerance.
inline constexpr double cost_tolerance = 1e-9;

/// True if a recomputed cost agrees with the claimed one. `largest` is the largest term of the sum, if terms
/// may cancel.
inline bool costs_agree(double claimed, double found, double largest = 0) {
  return std::abs(claimed - found) <=
         cost_tolerance * std::max({std::abs(claimed), std::abs(found), largest});
}

/// Returns the relative gap (objective - bound) / |objective|, or 0 if the objective is 0 or equals the
/// bound.
inline double gap_between(double objective, double bound) {
  return objective == bound || objective == 0 ? 0 : (objective - bound) / std::abs(objective);
}

inline double slightly_below(double cost) {
  return std::isfinite(cost) ? cost - std::abs(cost) * cost_tolerance : cost;
}

}  // namespace nestor
