// Second computation of a result of the cnm space: programs from model/cnm/second_reading, the estimate from
// sim/cnm/second_estimate, and figures of channels from the cycle-by-cycle simulation. `nestor verify`
// compares it with the result.
#pragma once

#include <string_view>

#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// The part of a result for one task, and the keys without a second figure ("maps[].iram_bytes").
struct SecondTask {
  io::Json expected;
  std::vector<std::string> open;
  std::string fault;  ///< a rule that a map breaks, or a part that is too long to compute
  double time_ms = 0;
};

/// Returns the task as `verb` reports it. For `simulate`, it has the figures of a replay. For `map`, parts
/// that are larger than necessary are a fault.
SecondTask work_out_again(const KernelTask& task, const cnm::System& system, std::string_view verb);

}  // namespace nestor::report
