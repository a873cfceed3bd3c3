// The timeline of a replay: one track for the array, one for what it waits for, one per port, and a counter
// of occupied bits per memory.
#pragma once

#include <limits>

#include "model/workload/named_machine.h"
#include "report/trace/trace_writer.h"
#include "sim/cim/timeline.h"

namespace nestor::io {

struct TraceOptions {
  Int begin_cycle = 0;  ///< events that overlap [begin_cycle, end_cycle) are kept
  Int end_cycle = std::numeric_limits<Int>::max();
  std::size_t max_events = most_trace_events;
  Int step_limit = 100'000'000;  ///< of steps replayed to reach and fill the window
};

/// The mapping is legal and canonical; one that is not even a mapping gives an empty, incomplete trace.
Trace make_trace(const LayerShape& layer, const NamedArchitecture& architecture, const Mapping& mapping,
                 const TraceOptions& options = {});

}  // namespace nestor::io
