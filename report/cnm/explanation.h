// What another compute-near-memory system would do: findings of `map --explain` as JSON and text.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "io/files.h"

namespace nestor::report {

/// The search made again on a system with one value changed.
struct ChangedSystem {
  std::string path;  ///< as --set has it
  double value = 0;
  double time_ms = 0;
  Status status = Status::optimal;
};

void add_changes(io::Json& entry, const std::vector<ChangedSystem>& changes);

/// `time_ms`: of the system as it is.
std::string changes_text(const std::vector<ChangedSystem>& changes, double time_ms);

}  // namespace nestor::report
