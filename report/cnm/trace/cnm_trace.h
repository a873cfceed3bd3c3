// The timeline of one compute-near-memory unit. A DPU has a track for each tasklet with its slots, transfers
// and waits; a channel of the HBM-PIM has a track for each bank with its commands.
#pragma once

#include "report/trace/trace_writer.h"
#include "sim/cnm/dpu_stepper.h"
#include "sim/cnm/hbm_stepper.h"

namespace nestor::io {

/// Returns the trace of the first `most_steps` slots, transfers and barriers.
Trace make_dpu_trace(const cnm::System& system, const cnm::Program& program, Int tasklets,
                     Int most_steps = 2'000'000);

/// Returns the trace of the first `most_cycles` cycles.
Trace make_channel_trace(const cnm::System& system, const cnm::Stream& stream, Int most_cycles = 200'000);

}  // namespace nestor::io
