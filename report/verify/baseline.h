// Comparison of a result with an older one of the same run, its baseline: changed optima, bounds and
// mappings. Measured times, counts of the search and inputs of the run are not compared. A part that a time
// limit ended is not reproducible; there, only figures that contradict each other count as a change.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"

namespace nestor::io {

/// One layer of a result, or the rest of the result.
struct BaselineCase {
  std::string name;
  std::vector<std::string> changes = {};  ///< one sentence each; empty if nothing changed
  std::string not_compared = {};          ///< reason why the part was not compared, or empty
};

std::vector<BaselineCase> compare_with_baseline(const Json& baseline, const Json& now);

}  // namespace nestor::io
