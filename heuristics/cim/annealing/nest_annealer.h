// Simulated annealing over whole mappings. Each step changes one decision of a mapping, so the search can
// move to other spatial choices than that of its start. It needs no tables and proves no bound.
#pragma once

#include <cstdint>

#include "base/stop_signal.h"
#include "heuristics/cim/nest_moves.h"

namespace nestor::cim {

struct Annealing {
  std::uint64_t evaluations = 0;  ///< number of mappings to evaluate
  std::uint64_t seed = 1;
  const StopSignal* stop = nullptr;
};

/// Anneals from a mapping. If a mapping of less cost was found, replaces `best` and `cost` and returns true.
/// The result is the same on every machine: no function of the mathematics library is used.
bool anneal(const CimProblem& problem, const Annealing& annealing, Mapping& best, Cost& cost);

}  // namespace nestor::cim
