// Timelines as Chrome traces (JSON), which ui.perfetto.dev and chrome://tracing open: tracks with slices, and
// counters. A microsecond of the viewer is a cycle. What is on them is said by the spaces
// (report/SPACE/trace).
#pragma once

#include <string>
#include <string_view>

#include "base/checked.h"
#include "io/files.h"

namespace nestor::io {

/// Bounds a file to some tens of megabytes.
inline constexpr std::size_t most_trace_events = 200'000;

struct Trace {
  Json json;
  bool complete = true;  ///< false if a limit left out events
};

class TraceWriter {
 public:
  explicit TraceWriter(std::size_t most_events = most_trace_events) : most_events_(most_events) {}

  void name_track(Int track, const std::string& name);
  /// From `begin` up to `end`, as far as there is room.
  void add_slice(Int track, std::string name, Int begin, Int end, Json details = Json::object());
  /// A figure from `when` on. Takes no room: what makes counters asks for it.
  void add_counter(const std::string& name, Int when, std::string_view key, Int value);

  /// Room for so many events; without it something is left out.
  bool take_room(std::size_t events);
  bool dropped() const { return dropped_; }

  /// `complete`: whether all that should be on it was given.
  Trace finish(const std::string& machine, bool complete);

 private:
  std::size_t most_events_;
  Json events_ = Json::array();
  std::size_t counted_ = 0;
  bool dropped_ = false;
};

/// What people are told of a trace that is not complete; empty for one that is.
std::string_view trace_notice(bool complete);

MaybeError write_trace(const std::filesystem::path& path, const Trace& trace);

}  // namespace nestor::io
