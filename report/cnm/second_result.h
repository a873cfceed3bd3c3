// A result of the cnm space computed a second time: programs from
// model/cnm/second_reading, the estimate from sim/cnm/second_estimate, channels from the stepper. `nestor
// verify` compares.
#pragma once

#include <string_view>

#include "io/files.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// A task's part of a result, and the keys of it that nothing was found for ("maps[].iram_bytes").
struct SecondTask {
  io::Json expected;
  std::vector<std::string> open;
  std::string fault;  ///< a rule that a map breaks, or what is too long to be worked out
  double time_ms = 0;
};

/// As `verb` reports it: with the figures of a replay for `simulate`; what `map` writes is no wider than it
/// must be.
SecondTask work_out_again(const KernelTask& task, const cnm::System& system, std::string_view verb);

}  // namespace nestor::report
