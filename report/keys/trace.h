// Keys of the events of a timeline, as Chrome and Perfetto read them.
#pragma once

namespace nestor::key {

inline constexpr char args[] = "args";
inline constexpr char dur[] = "dur";
inline constexpr char ph[] = "ph";
inline constexpr char pid[] = "pid";
inline constexpr char tid[] = "tid";
inline constexpr char timeline[] = "timeline";
inline constexpr char trace_events[] = "traceEvents";
inline constexpr char ts[] = "ts";
inline constexpr char unit[] = "unit";

}  // namespace nestor::key
