// Least latency over all cuts, where segments do not influence each other: a shortest path over positions,
// its edges segments with bounds that sharpen only where the shortest path runs. A segment that contains
// another is never faster, so what is learnt about one bounds all around it. Several segments each pay for
// writing their weights.
#pragma once

#include "model/chip/search/compile.h"

namespace nestor::chip {

CompileOutcome search_cuts(const ChipProblem& problem, const CompileRequest& request,
                           std::span<const Decisions> incumbents, Executor& executor, StopSource& stop,
                           EngineObserver* observer);

}  // namespace nestor::chip
