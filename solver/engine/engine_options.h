// Options and limits of a run of the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/cost.h"

namespace nestor {

struct EngineOptions {
  std::uint64_t work_limit = std::numeric_limits<std::uint64_t>::max();  ///< expansions
  /// Limit on opened branches, for spaces where opening a branch costs as much as thousands of expansions.
  /// Reaching it has the same effect as reaching the work limit.
  std::uint64_t branch_limit = std::numeric_limits<std::uint64_t>::max();
  bool ends_for_good = false;  ///< no later run resumes with a higher work limit
  double relative_gap = 0;     ///< stop if (incumbent - bound) <= relative_gap * |incumbent|
  double absolute_gap = 0;
  double known_bound = no_bound;  ///< a valid lower bound known in advance
  bool dominance = true;
  /// Searches each branch to its end, in ascending order of bounds, instead of advancing all branches to a
  /// rising target. This needs less memory, and less work if the cost at which labels are pruned is already
  /// known.
  bool exhaust_branches = false;
  std::size_t keep_best = 1;  ///< number of branches whose best solutions are proved
};

}  // namespace nestor
