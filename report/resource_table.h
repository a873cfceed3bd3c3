// The table of --explain: what a layer's resources are used for, and what more of each would gain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/loopnest/dims.h"

namespace nestor::report {

struct ResourceRow {
  struct Change {
    Int amount = 0;
    double gain = 0;
    Status status = Status::optimal;
  };
  std::string resource;  ///< its word in results
  std::string name;      ///< of the memory or axis; empty for compute
  Int amount = 0;
  double used = 0;
  std::optional<Operand> operand;
  std::string binds;
  std::optional<Change> step;
  std::optional<Change> most;
};

/// `step` heads the column of the smaller change.
std::string resource_table(const std::vector<ResourceRow>& rows, const std::string& step);

}  // namespace nestor::report
