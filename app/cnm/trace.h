// --trace of the cnm space: the activity of one unit, cycle by cycle.
#pragma once

#include "app/cnm/work.h"

namespace nestor::app::cnm_space {

/// Writes the timeline of the first map of the only task. If the timeline is cut short, prints a remark on
/// standard error. Several tasks, or a task without a mapping, are an error.
io::MaybeError write_unit_trace(const io::RunOptions& options, const KernelWork& work);

}  // namespace nestor::app::cnm_space
