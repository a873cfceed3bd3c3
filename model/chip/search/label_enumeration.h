// Compiling for any objective under any limits, exactly: every segment's decisions are enumerated with
// bounds, what is no better than another in each figure that counts is dropped (labels), and segments are put
// together with their writing and spills. Meant for small networks: on large ones it stops at its work limit
// and its bound is what single operators need.
#pragma once

#include "model/chip/search/compile.h"

namespace nestor::chip {

/// Goes on from `outcome`: its best is an incumbent, and nothing below its bound is looked for.
void enumerate_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                      const StopSource& stop, EngineObserver* observer);

}  // namespace nestor::chip
