// nestor verify --recheck: whether the claims of optimality in a result hold, by searching again without the
// result's limits. It trusts the search, which the rest of verify does not; so it speaks only of what nothing
// else can confirm: status, bound, completeness of fronts and of lists of the best.
#pragma once

#include "io/options.h"
#include "report/verify/result_check.h"

namespace nestor::app::cim_space {

/// Adds to `check` what it finds; what it decides is no longer among `not_checked`.
io::MaybeError recheck(const io::RunOptions& options, const io::RunResult& run, io::ResultCheck& check);

}  // namespace nestor::app::cim_space
