// A program run on numbers, with what `simulate --functional` is given: images, a model to hold it against.
#pragma once

#include "app/space.h"
#include "report/chip/program_run.h"

namespace nestor::app::chip_space {

io::Error fault_error(const report::ProgramRun& run, const sim::chip::Fault& fault);

/// What every operator makes; against the integer reference and the float graph, where they are asked for.
/// `npy`: the model's first output, if --output wants it.
io::MaybeError run_numbers(report::ProgramRun& run, const io::RunOptions& options, std::string& npy);

}  // namespace nestor::app::chip_space
