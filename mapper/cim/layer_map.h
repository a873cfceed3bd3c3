// What the mapper found for one layer: mappings with their costs, how far they are proved, and what the
// search did for it. Everything in it has been checked by code that is not the search's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "mapper/loopnest/fault.h"
#include "model/cim/evaluate.h"
#include "model/cim/search/admission.h"
#include "solver/search/label_search.h"

namespace nestor::mapper {

struct MappedLayer {
  LayerShape shape;  ///< the nest that is mapped
  Mapping mapping;
  cim::Evaluation evaluation;
  double objective = 0;
};

struct Incumbent {
  double seconds = 0;
  double objective = 0;
};

struct SearchReport {
  SearchCounts counts;
  std::uint64_t branches = 0;  ///< spatial choices
  std::uint64_t branches_opened = 0;
  std::uint64_t rounds = 0;
  double seconds = 0;
  std::vector<Incumbent> incumbents;
};

struct LayerMap {
  Fault fault = Fault::none;
  Status status = Status::infeasible;  ///< of the search; says nothing about a heuristic's mapping
  bool heuristic = false;              ///< made by a baseline: nothing is proved, `bound` is absent
  std::optional<double> bound;         ///< no mapping costs less
  std::vector<MappedLayer> best;       ///< ascending cost, one per spatial choice; may be empty
  std::vector<MappedLayer> front;      ///< of a Pareto run: ascending latency, descending energy
  SearchReport search;

  /// (objective - bound) / |objective|, if both are known.
  std::optional<double> gap() const;
};

}  // namespace nestor::mapper
