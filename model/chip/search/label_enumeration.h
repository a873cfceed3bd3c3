// Exact compilation for any objective under any limits. The decisions of every segment are enumerated with
// bounds. A label that is no better than another label in any relevant figure is dropped. Segments are then
// joined, including the costs of their writes and spills. The enumeration is intended for small networks. On
// large networks it stops at its work limit, with a bound from single operators.
#pragma once

#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Continues from `outcome`. Its best schedule is an incumbent, and the search ends when it reaches the bound
/// of `outcome`.
void enumerate_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                      const StopSource& stop, EngineObserver* observer);

}  // namespace nestor::chip
