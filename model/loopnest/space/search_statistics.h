// Statistics of the search for one layer of a loop-nest space, passed from the mapper to the result.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.h"
#include "base/cost.h"
#include "solver/search/label_search.h"

namespace nestor {

struct SearchStatistics {
  /// Time and objective of a mapping that is better than all earlier mappings.
  struct Incumbent {
    double seconds = 0;
    double objective = 0;
    Int nodes = -1;                 ///< nodes expanded when it was found; negative if unknown
    double lower_bound = no_bound;  ///< bound on the objective proved by then; not finite if there is none
  };
  SearchCounts counts;
  std::uint64_t branches = 0;  ///< number of spatial choices
  std::uint64_t branches_opened = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  std::vector<Incumbent> incumbents;

  Int nodes() const { return static_cast<Int>(counts.expanded); }
  void forget_times() {
    seconds = 0;
    for (Incumbent& incumbent : incumbents) incumbent.seconds = 0;
  }
};

}  // namespace nestor
