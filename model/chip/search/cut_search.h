// Least latency over all cuts, where segments do not influence each other: a shortest path over positions,
// its edges segments with bounds that sharpen only where the shortest path runs. A segment that contains
// another is never faster, so what is learnt about one bounds all around it. Several segments each pay for
// writing their weights.
//
// Exact without transfer costs and spills, and where no product can leave a shared digital unit; elsewhere
// the bound holds, since each of these only delays, and what is found is a start.
#pragma once

#include "model/chip/search/compile.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// Scope and limits of the search.
struct CutScope {
  const OptionTable* single = nullptr;    ///< options in a single segment; null: there must be several
  const OptionTable* several = nullptr;   ///< in one of several; null: there is one
  Int latest = INT64_MAX / 4;             ///< later schedules are of no interest
  std::uint64_t work_limit = UINT64_MAX;  ///< nodes
};

struct CutOutcome {
  CompileOutcome outcome;          ///< of least latency, as evaluated
  std::optional<Decisions> least;  ///< of least latency without transfer costs and spills, if it is known
};

CutOutcome search_cuts(const ChipProblem& problem, const CompileRequest& request, const CutScope& scope,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer);

}  // namespace nestor::chip
