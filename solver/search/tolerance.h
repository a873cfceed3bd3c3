// Tolerance of costs: sums of the same terms in another order differ in their last bits, so what is called
// equal, optimal or below is so within one tolerance, everywhere the same.
#pragma once

#include <algorithm>
#include <cmath>

namespace nestor {

/// Costs closer than this, relatively, count as equal (optimality is claimed to it).
inline constexpr double cost_tolerance = 1e-9;

/// Whether a cost worked out again is the cost that was claimed; `largest` of its terms, where they may
/// cancel.
inline bool costs_agree(double claimed, double found, double largest = 0) {
  return std::abs(claimed - found) <=
         cost_tolerance * std::max({std::abs(claimed), std::abs(found), largest});
}

/// How far a bound lies below an objective, as a share of it.
inline double gap_between(double objective, double bound) {
  return objective == bound || objective == 0 ? 0 : (objective - bound) / std::abs(objective);
}

inline double slightly_below(double cost) {
  return std::isfinite(cost) ? cost - std::abs(cost) * cost_tolerance : cost;
}

}  // namespace nestor
