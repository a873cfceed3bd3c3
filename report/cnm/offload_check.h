// Check of a result of a program of several operations, for nestor verify.
#pragma once

#include <string>

#include "io/files.h"
#include "report/verify/result_check.h"
#include "solver/engine/stop_source.h"

namespace nestor::report {

/// Estimates every kernel again, places the program in the result again and compares the whole result.
io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop);

}  // namespace nestor::report
