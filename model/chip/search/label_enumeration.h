// Exact compilation for any objective under any limits. The decisions of every segment are enumerated with
// bounds. A label that is no better than another in any relevant figure is dropped. Segments are then joined,
// with the costs of their writes and spills. The enumeration is meant for small networks. On large ones it
// stops at its work limit, with a bound from single operators.
#pragma once

#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Continues from `outcome`: its best schedule is an incumbent, and its bound ends the search when reached.
void enumerate_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                      const StopSource& stop, EngineObserver* observer);

}  // namespace nestor::chip
