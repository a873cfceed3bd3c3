// A result set beside an older one of the same run, its baseline: which optima, bounds and mappings changed.
// Measured times, counts of the search and what the run read are no part of the comparison. What a clock
// ended is not reproducible; there, only figures that contradict each other count as a change.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"

namespace nestor::io {

/// One layer of a result, or all else that a result says.
struct BaselineCase {
  std::string name;
  std::vector<std::string> changes = {};  ///< one sentence each; empty: the same
  std::string not_compared = {};          ///< why, if it was not
};

std::vector<BaselineCase> compare_with_baseline(const Json& baseline, const Json& now);

}  // namespace nestor::io
