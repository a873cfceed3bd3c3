// SPDX-License-Identifier: Apache-2.0
// Sizes that nobody chooses are the same in the C API as in the rooms below it. Of the two headers the second
// takes over what the first has defined, so whoever includes both compares nothing: here that is forgotten in
// between.
#include "model/loopnest/capacity.h"

#undef NESTOR_MAX_MEMORIES
#undef NESTOR_MAX_AXES
#undef NESTOR_MAX_LOOPS

#include "nestor.h"

static_assert(NESTOR_MAX_MEMORIES == nestor::max_memories);
static_assert(NESTOR_MAX_AXES == nestor::max_axes);
static_assert(NESTOR_MAX_LOOPS == nestor::max_loops);
