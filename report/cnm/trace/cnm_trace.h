// The timeline of one unit near memory: of a DPU, a track for each tasklet with its slots, transfers and
// waits; of a channel of the HBM-PIM, a track for each bank with its commands.
#pragma once

#include "report/trace/trace_writer.h"
#include "sim/cnm/dpu_stepper.h"
#include "sim/cnm/hbm_stepper.h"

namespace nestor::io {

/// Of the first `most_steps` slots, transfers and barriers.
Trace make_dpu_trace(const cnm::System& system, const cnm::Program& program, Int tasklets,
                     Int most_steps = 2'000'000);

/// Of the first `most_cycles` cycles.
Trace make_channel_trace(const cnm::System& system, const cnm::Stream& stream, Int most_cycles = 200'000);

}  // namespace nestor::io
