// The timeline of a replay: one track for the array, one for the causes of its waits, one per port, and a
// counter of occupied bits per memory.
#pragma once

#include <limits>

#include "model/workload/named_machine.h"
#include "report/trace/trace_writer.h"
#include "sim/cim/timeline.h"

namespace nestor::io {

struct TraceOptions {
  /// Start of the window: events that overlap [begin_cycle, end_cycle) are kept.
  Int begin_cycle = 0;
  Int end_cycle = std::numeric_limits<Int>::max();
  std::size_t max_events = most_trace_events;
  bool counters = true;          ///< false to leave out the counters of occupied bits
  Int step_limit = 100'000'000;  ///< maximum number of steps that are replayed to reach and fill the window
};

/// Returns the timeline. The mapping must be legal and canonical; a malformed mapping yields an empty,
/// incomplete trace.
Trace make_trace(const LayerShape& layer, const NamedArchitecture& architecture, const Mapping& mapping,
                 const TraceOptions& options = {});

}  // namespace nestor::io
