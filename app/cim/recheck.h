// nestor verify --recheck for results of the cim space (app/recheck.h).
#pragma once

#include "io/options.h"
#include "report/results/cim/result_file.h"
#include "report/verify/result_check.h"

namespace nestor::app::cim_space {

/// Adds the findings of the new search to `check`, and removes from `not_checked` the entries that the search
/// resolves.
io::MaybeError recheck(const io::RunOptions& options, const io::RunResult& run, io::ResultCheck& check);

}  // namespace nestor::app::cim_space
