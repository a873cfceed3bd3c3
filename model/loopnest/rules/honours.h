// Check of a mapping against the user's constraints, written independently of how the search enforces them.
// It checks the results of the search and of the heuristics. A second function detects constraints that no
// mapping satisfies.
#pragma once

#include "model/loopnest/constraints.h"
#include "model/loopnest/layer.h"

namespace nestor {

/// True if `mapping` satisfies the constraints; it must be legal and canonical. Limits on latency and energy
/// are not checked. One loop may appear as several adjacent loops of its dimension, and several as one.
bool honours(const Constraints& constraints, const LayerShape& layer, const Hierarchy& machine,
             const Mapping& mapping);

/// True if the constraints on memories contradict each other or the machine: every operand uses its home and
/// its innermost memory. Searches rely on this being false, because they place no loop to enforce the use of
/// either.
bool asks_the_impossible(const Constraints& constraints, const Hierarchy& machine);

}  // namespace nestor
