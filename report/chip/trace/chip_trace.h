// The timeline of an executed chip program as a Chrome trace (JSON), which ui.perfetto.dev and
// chrome://tracing open: one track per operator with its rows, one for rewriting, and a counter of crossbars
// at work. A microsecond of the viewer is a cycle.
#pragma once

#include "io/files.h"
#include "sim/chip/timing.h"

namespace nestor::io {

struct ChipTrace {
  Json json;
  bool complete = true;  ///< false if rows beyond the limit were left out
};

inline constexpr std::size_t most_trace_events = 200'000;

ChipTrace make_chip_trace(const chip_program::Program& program, const sim::chip::Timing& timing,
                          std::size_t most_events = most_trace_events);

}  // namespace nestor::io
