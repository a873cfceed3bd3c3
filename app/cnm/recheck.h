// nestor verify --recheck for results of the cnm space: whether no mapping is faster, by searching again
// without the result's limits. It trusts the search, which the rest of verify does not.
#pragma once

#include "io/options.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/result_check.h"

namespace nestor::app::cnm_space {

/// Adds to `check` what it finds; what it decides is no longer among `not_checked`. `claims`: the result that
/// was read as `work`.
io::MaybeError recheck(const io::RunOptions& options, const report::KernelWork& work, const io::Json& claims,
                       io::ResultCheck& check);

}  // namespace nestor::app::cnm_space
