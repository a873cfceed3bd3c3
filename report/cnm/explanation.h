// What another compute-near-memory system would do (`map --explain`): one resource changed at a time, the
// search made again; and the findings as JSON and text.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "io/files.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::report {

/// The search made again on a system with one value changed.
struct ChangedSystem {
  std::string path;  ///< as --set has it
  double value = 0;
  double time_ms = 0;
  Status status = Status::optimal;
};

std::vector<ChangedSystem> explain_kernel(const cnm::Kernel& kernel, const cnm::System& system,
                                          const cnm::MapRequest& request);

void add_changes(io::Json& entry, const std::vector<ChangedSystem>& changes);

/// `time_ms`: of the system as it is.
std::string changes_text(const std::vector<ChangedSystem>& changes, double time_ms);

}  // namespace nestor::report
