// SPDX-License-Identifier: Apache-2.0
// The default sizes of the C API equal those of the modules below it. The second header reuses definitions of
// the first, so including both would compare nothing. The definitions are therefore removed in between.
#include "model/loopnest/capacity.h"

#undef NESTOR_MAX_MEMORIES
#undef NESTOR_MAX_AXES
#undef NESTOR_MAX_LOOPS

#include "nestor.h"

static_assert(NESTOR_MAX_MEMORIES == nestor::max_memories);
static_assert(NESTOR_MAX_AXES == nestor::max_axes);
static_assert(NESTOR_MAX_LOOPS == nestor::max_loops);
