// The timeline of an executed chip program: one track per operator with its rows, one track for rewriting,
// and a counter of active crossbars.
#pragma once

#include "report/trace/trace_writer.h"
#include "sim/chip/timing.h"

namespace nestor::io {

Trace make_chip_trace(const std::string& machine, const chip_program::Program& program,
                      const sim::chip::Timing& timing, std::size_t most_events = most_trace_events);

}  // namespace nestor::io
