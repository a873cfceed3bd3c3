// Functional execution of a program on images, for `simulate --functional`, optionally with a comparison to a
// model.
#pragma once

#include "app/space.h"
#include "report/chip/program_run.h"

namespace nestor::app::chip_space {

io::Error fault_error(const report::ProgramRun& run, const sim::chip::Fault& fault);

/// Computes the result of every operator and compares it with the integer reference and the float graph, if
/// requested. `npy` receives the model's first output if --output needs it.
io::MaybeError run_numbers(report::ProgramRun& run, const io::RunOptions& options, std::string& npy);

}  // namespace nestor::app::chip_space
