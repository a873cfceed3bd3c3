// The timeline of a replay as a Chrome trace (JSON), which ui.perfetto.dev and chrome://tracing open: one
// track for the array, one for what it waits for, one per port, and a counter of occupied bits per memory. A
// microsecond of the viewer is a cycle.
#pragma once

#include <limits>
#include <string_view>

#include "io/files.h"
#include "model/workload/named_machine.h"
#include "sim/cim/timeline.h"

namespace nestor::io {

struct TraceOptions {
  Int begin_cycle = 0;  ///< events that overlap [begin_cycle, end_cycle) are kept
  Int end_cycle = std::numeric_limits<Int>::max();
  std::size_t max_events = 200'000;  ///< bounds the file to some tens of megabytes
  Int step_limit = 100'000'000;      ///< of steps replayed to reach and fill the window
};

struct Trace {
  Json json;
  bool complete = true;  ///< false if a limit left out events of the window
};

/// The mapping is legal and canonical; one that is not even a mapping gives an empty, incomplete trace.
Trace make_trace(const LayerShape& layer, const NamedArchitecture& architecture, const Mapping& mapping,
                 const TraceOptions& options = {});

/// What people are told of a trace that is not complete; empty for one that is.
std::string_view trace_notice(bool complete);

MaybeError write_trace(const std::filesystem::path& path, const Trace& trace);

}  // namespace nestor::io
