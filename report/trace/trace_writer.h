// Timelines as Chrome traces (JSON), which ui.perfetto.dev and chrome://tracing open: tracks with slices, and
// counters. One microsecond in the viewer is one cycle. Each space builds its own timelines
// (report/SPACE/trace).
#pragma once

#include <string>
#include <string_view>

#include "base/checked.h"
#include "io/files.h"

namespace nestor::io {

/// Limits a trace file to tens of megabytes.
inline constexpr std::size_t most_trace_events = 200'000;

struct Trace {
  Json json;
  bool complete = true;  ///< false if a limit dropped events
};

class TraceWriter {
 public:
  explicit TraceWriter(std::size_t most_events = most_trace_events) : most_events_(most_events) {}

  void name_track(Int track, const std::string& name);
  /// Adds a slice from `begin` to `end`, if the limit allows it.
  void add_slice(Int track, std::string name, Int begin, Int end, Json details = Json::object());
  /// Adds the value of a counter from `when` on. The caller must reserve the event with take_room().
  void add_counter(const std::string& name, Int when, std::string_view key, Int value);

  /// Reserves this number of events. Returns false if the limit is reached and events are dropped.
  bool take_room(std::size_t events);
  bool dropped() const { return dropped_; }

  /// Returns the trace. `complete` is true if all events were passed to the writer.
  Trace finish(const std::string& machine, bool complete);

 private:
  std::size_t most_events_;
  Json events_ = Json::array();
  std::size_t counted_ = 0;
  bool dropped_ = false;
};

/// Returns the notice about an incomplete trace, or an empty string.
std::string_view trace_notice(bool complete);

MaybeError write_trace(const std::filesystem::path& path, const Trace& trace);

}  // namespace nestor::io
