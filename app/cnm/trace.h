// --trace of the cnm space: what one unit does, cycle by cycle.
#pragma once

#include "app/cnm/work.h"

namespace nestor::app::cnm_space {

/// The timeline of the first map of the only task; says on standard error if it is cut short.
io::MaybeError write_unit_trace(const io::RunOptions& options, const KernelWork& work);

}  // namespace nestor::app::cnm_space
