// nestor verify --recheck for results of the cnm space: a new search without the result's limits confirms
// that no mapping is faster. This check trusts the search; all other checks of verify do not.
#pragma once

#include "io/options.h"
#include "report/cnm/kernel_work.h"
#include "report/verify/result_check.h"

namespace nestor::app::cnm_space {

/// Adds the findings of the new search to `check`, and removes from `not_checked` the entries that the search
/// resolves. `claims` is the JSON of the result from which `work` was read.
io::MaybeError recheck(const io::RunOptions& options, const report::KernelWork& work, const io::Json& claims,
                       io::ResultCheck& check);

}  // namespace nestor::app::cnm_space
