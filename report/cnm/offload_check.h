// Check of results for programs of several operations, for nestor verify.
#pragma once

#include <string>

#include "io/files.h"
#include "report/verify/result_check.h"
#include "solver/engine/stop_source.h"

namespace nestor::report {

/// Compares a result with the contracts of its kernels and of its placement, and places all operations again.
io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop);

}  // namespace nestor::report
