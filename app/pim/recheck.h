// nestor verify --recheck for results of the pim space (app/recheck.h).
#pragma once

#include "io/options.h"
#include "report/results/pim/result_file.h"
#include "report/verify/result_check.h"

namespace nestor::app::pim_space {

/// Adds to `check` what it finds; what it decides is no longer among `not_checked`. `claims`: the result that
/// was read as `run`.
io::MaybeError recheck(const io::RunOptions& options, const io::pim::RunRecord& run, const io::Json& claims,
                       io::ResultCheck& check);

}  // namespace nestor::app::pim_space
