// nestor verify --recheck for results of the pim space (app/recheck.h).
#pragma once

#include "io/options.h"
#include "report/results/pim/result_file.h"
#include "report/verify/result_check.h"

namespace nestor::app::pim_space {

/// Adds the findings of the new search to `check`, and removes from `not_checked` the entries that the search
/// resolves. `claims` is the JSON of the result from which `run` was read.
io::MaybeError recheck(const io::RunOptions& options, const io::pim::RunRecord& run, const io::Json& claims,
                       io::ResultCheck& check);

}  // namespace nestor::app::pim_space
