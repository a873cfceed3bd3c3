// Options of a run of the engine, and its limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/cost.h"

namespace nestor {

struct EngineOptions {
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();  ///< expansions
  /// Branches opened: where opening one costs as much as thousands of expansions. Ends a run as the work
  /// limit does.
  std::uint64_t branch_limit = std::numeric_limits<std::uint64_t>::max();
  bool ends_for_good = false;  ///< at its work limit: no later run with more work goes on from there
  double relative_gap = 0;     ///< stop once (incumbent - bound) <= this * |incumbent|
  double absolute_gap = 0;
  double known_bound = no_bound;  ///< a valid lower bound known beforehand
  bool dominance = true;
  /// Search each branch to its end in one go, the least bound first, rather than all of them up to a rising
  /// target: takes less memory, and less work where what closes branches is known already.
  bool exhaust_branches = false;
  std::size_t keep_best = 1;  ///< how many branches' best solutions to prove
};

}  // namespace nestor
