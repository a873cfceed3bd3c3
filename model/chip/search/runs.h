// Runs of consecutive operators for the search of cuts (docs/models/chip.md, section 8, "Cuts"): lower bounds
// of runs by their longest paths, and runs that are equal, so that one search bounds all of them.
#pragma once

#include <vector>

#include "model/chip/search/options.h"

namespace nestor::chip {

/// Returns lower bounds on the schedules of the runs from operator `first` to `last`, for each `last` up to
/// `end`: the longest path with each operator at its best speed. The operators must have options. The graph
/// of a run is a prefix of the graph of a longer run from the same operator, so one pass bounds all runs.
std::vector<Int> path_bounds(const ChipProblem& problem, const OptionTable& table, std::size_t first,
                             std::size_t end, bool stream);

/// Runs that differ only in names and in tensors from outside the run.
class EqualRuns {
 public:
  explicit EqualRuns(const ChipProblem& problem);

  /// Returns the first operator of the earliest run that equals the run from `first` to `last`. Both have the
  /// same options and the same graph, hence the same schedules.
  std::size_t earliest(std::size_t first, std::size_t last) const;

 private:
  std::vector<std::size_t> alike_;  ///< earliest operator with equal figures and inputs
};

}  // namespace nestor::chip
