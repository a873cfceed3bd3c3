// The mapper's result for one layer of any loop-nest space: mappings with their costs, how far they
// are proved, and what the search did for it. Everything in it has been checked by code that is not the
// search's.
#pragma once

#include <optional>
#include <vector>

#include "base/status.h"
#include "mapper/loopnest/fault.h"
#include "mapper/loopnest/tie_break.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/space/search_statistics.h"
#include "solver/search/tolerance.h"

namespace nestor::mapper {

/// A mapping with its cost, in the terms of its space.
template <typename SpaceMapping, typename SpaceEvaluation>
struct MappedNest {
  LayerShape shape;  ///< the nest that is mapped
  SpaceMapping mapping;
  SpaceEvaluation evaluation;
  double objective = 0;
};

template <typename Mapped>
struct NestMap {
  Fault fault = Fault::none;
  Status status = Status::infeasible;  ///< of the search; says nothing about a heuristic's mapping
  bool heuristic = false;              ///< made by a baseline: nothing is proved, `bound` is absent
  std::optional<double> bound;         ///< no mapping costs less
  std::vector<Mapped> best;            ///< ascending cost, one per spatial choice; may be empty
  std::vector<Mapped> front;           ///< of a Pareto run: ascending latency, descending energy
  SearchStatistics search;
  std::optional<TieBreak>
      ties;  ///< where the objective leaves some, its optimum is proved and they were asked for

  /// (objective - bound) / |objective|, if both are known.
  std::optional<double> gap() const {
    if (!bound || best.empty()) return std::nullopt;
    return gap_between(best.front().objective, *bound);
  }
  /// The first fault stays.
  void fail(Fault found) {
    if (fault == Fault::none) fault = found;
  }
};

}  // namespace nestor::mapper
