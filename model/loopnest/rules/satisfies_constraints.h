// Check of a mapping against the user's constraints, written independently of the code with which the search
// enforces them. The check is applied to the results of the search and of the heuristics. A second function
// detects contradictory constraints on memories.
#pragma once

#include "model/loopnest/constraints.h"
#include "model/loopnest/layer.h"

namespace nestor {

/// True if `mapping` satisfies the constraints; the mapping must be legal and canonical. Limits on latency
/// and energy are not checked. Fixed outer loops must match exactly, in dimension and factor.
bool satisfies_constraints(const Constraints& constraints, const LayerShape& layer, const Hierarchy& machine,
                           const Mapping& mapping);

/// True if the constraints on memories contradict each other or the machine, in which every operand uses its
/// home and its innermost memory. Searches require this to be false, because they ignore `must_not_use` for
/// these two memories.
bool is_contradictory(const Constraints& constraints, const Hierarchy& machine);

}  // namespace nestor
