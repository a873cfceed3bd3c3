// Does a mapping keep to what the user fixed? A plain reading of the constraints, apart from how the search
// enforces them: what the search and the heuristics return is checked with it.
#pragma once

#include "model/loopnest/constraints.h"

namespace nestor {

/// `mapping` is legal and canonical. Limits on latency and energy are not looked at. A loop may appear as
/// several adjacent loops of its dimension, and several as one.
bool honours(const Constraints& constraints, const Hierarchy& machine, const Mapping& mapping);

}  // namespace nestor
