// SPDX-License-Identifier: Apache-2.0
// Compile-time test that the default sizes of the C API equal those of the C++ modules. Each header defines
// the macros for these sizes only if they are undefined. The macros of the first header are therefore removed
// before the second header is included.
#include "model/loopnest/capacity.h"

#undef NESTOR_MAX_MEMORIES
#undef NESTOR_MAX_AXES
#undef NESTOR_MAX_LOOPS

#include "nestor.h"

static_assert(NESTOR_MAX_MEMORIES == nestor::max_memories);
static_assert(NESTOR_MAX_AXES == nestor::max_axes);
static_assert(NESTOR_MAX_LOOPS == nestor::max_loops);
