// Placements of programs over several systems: as JSON (key `offload` of a result of map), as tables, and
// checked for nestor verify.
#pragma once

#include <string>

#include "io/files.h"
#include "io/options.h"
#include "mapper/cnm/offload.h"
#include "report/verify/result_check.h"

namespace nestor::report {

struct OffloadRun {
  std::vector<cnm::System> systems;
  cnm::OffloadProblem problem;
  cnm::OffloadResult result;
  std::vector<std::string> left_open;  ///< operations whose mapping is not proved best
};

io::Json offload_json(const OffloadRun& run, const io::RunOptions& options);
std::string offload_text(const OffloadRun& run);

/// True for a result that has a placement.
bool is_offload_result(const io::Json& claims);
/// Everything worked out again from the program in the result.
io::Result<io::ResultCheck> check_offload_result(const io::Json& claims, const std::string& file,
                                                 const StopSignal& stop);

}  // namespace nestor::report
