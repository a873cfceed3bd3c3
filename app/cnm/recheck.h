// nestor verify --recheck for results of the cnm space: a new search without the result's limits confirms
// that no mapping is faster. It trusts the search, which the rest of verify does not.
#pragma once

#include "io/options.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/result_check.h"

namespace nestor::app::cnm_space {

/// Adds its findings to `check`, and removes from `not_checked` the questions that it answers. `claims` is
/// the result that was read as `work`.
io::MaybeError recheck(const io::RunOptions& options, const report::KernelWork& work, const io::Json& claims,
                       io::ResultCheck& check);

}  // namespace nestor::app::cnm_space
