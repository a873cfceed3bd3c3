// Result of the mapper for one layer of any loop-nest space: mappings with their costs, the state of the
// proof, and the work of the search. All mappings and costs have been checked by code that is independent of
// the search.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "mapper/loopnest/fault.h"
#include "mapper/loopnest/tie_break.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/space/search_statistics.h"

namespace nestor::mapper {

/// A mapping and its cost, in the types of the space.
template <typename SpaceMapping, typename SpaceEvaluation>
struct MappedNest {
  LayerShape shape;  ///< the layer with its mapped bounds, which may be padded
  SpaceMapping mapping;
  SpaceEvaluation evaluation;
  double objective = 0;
};

template <typename Mapped>
struct NestMap {
  Fault fault = Fault::none;
  Status status = Status::infeasible;  ///< status of the search; meaningless if `heuristic`
  bool heuristic = false;              ///< found by a baseline: nothing is proved, and `bound` is empty
  std::optional<double> bound;         ///< lower bound on the cost of any mapping
  std::vector<Mapped> best;            ///< in ascending cost, one per spatial choice; may be empty
  std::vector<Mapped> front;           ///< only for a Pareto run; in ascending latency and descending energy
  SearchStatistics search;
  std::optional<TieBreak>
      ties;  ///< set if tie-breaking was requested, the objective allows ties, and its optimum is proved
  /// Records a fault; only the first one is stored.
  void fail(Fault found) {
    if (fault == Fault::none) fault = found;
  }
};

}  // namespace nestor::mapper
