// Check of results for programs of several operations, for nestor verify.
#pragma once

#include <string>

#include "io/files.h"
#include "report/verify/result_check.h"
#include "solver/engine/stop_source.h"

namespace nestor::report {

/// Estimates every kernel and places all operations again, and compares the outcome with the whole result.
io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop);

}  // namespace nestor::report
