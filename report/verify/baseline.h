// Comparison of a result with an older one of the same run, its baseline: changed optima, bounds and
// mappings. Measured times, counts of the search and inputs of the run are not compared. A part that a time
// limit ended is not reproducible; there, only figures that contradict each other count as a change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/files.h"
#include "io/options.h"

namespace nestor::io {

/// One layer of a result, or the rest of the result.
struct BaselineCase {
  std::string name;
  std::vector<std::string> changes = {};  ///< one sentence each; empty if nothing changed
  std::string not_compared = {};          ///< reason why the part was not compared, or empty
};

/// A baseline, the run that it repeats, and the outcome.
struct BaselineRun {
  std::string file;
  Verb verb = Verb::map;
  std::string space;
  std::vector<BaselineCase> cases = {};
};
std::string_view outcome_of(const BaselineCase& found);

/// Returns the outcomes as JSON, "nestor.check/1".
Json baselines_json(const std::vector<BaselineRun>& baselines);
Json baselines_schema();

std::vector<BaselineCase> compare_with_baseline(const Json& baseline, const Json& now);

}  // namespace nestor::io
