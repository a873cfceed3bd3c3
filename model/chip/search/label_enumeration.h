// Exact compilation for any objective under any limits. The decisions of every segment are enumerated with
// bounds. A label that is no better than another label in any relevant figure is dropped. Segments are then
// joined, including the costs of their writes and spills. The enumeration is intended for small networks. On
// large networks it stops at its work limit, and the bound of the earlier searches remains.
#pragma once

#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Continues from `outcome`, whose best schedule is an incumbent. The search ends early if its best schedule
/// reaches the bound of `outcome`.
void enumerate_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                      const StopSource& stop, EngineObserver* observer);

}  // namespace nestor::chip
