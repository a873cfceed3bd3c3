#include "report/trace/trace_writer.h"

#include "io/output_file.h"
#include "report/keys/common.h"
#include "report/keys/trace.h"

namespace nestor::io {
namespace {

constexpr int process = 1;

}  // namespace

void TraceWriter::name_track(Int track, const std::string& name) {
  events_.push_back({{key::name, "thread_name"},
                     {key::ph, "M"},
                     {key::pid, process},
                     {key::tid, track},
                     {key::args, {{key::name, name}}}});
}

void TraceWriter::add_slice(Int track, std::string name, Int begin, Int end, Json details) {
  if (!take_room(1)) return;
  Json slice = {{key::name, std::move(name)}, {key::ph, "X"}, {key::ts, begin}, {key::dur, end - begin}};
  slice[key::pid] = process;
  slice[key::tid] = track;
  if (!details.empty()) slice[key::args] = std::move(details);
  events_.push_back(std::move(slice));
}

void TraceWriter::add_counter(const std::string& name, Int when, std::string_view key, Int value) {
  events_.push_back(
      {{key::name, name}, {key::ph, "C"}, {key::ts, when}, {key::pid, process}, {key::args, {{key, value}}}});
}

bool TraceWriter::take_room(std::size_t events) {
  dropped_ |= counted_ >= most_events_;
  if (!dropped_) counted_ += events;
  return !dropped_;
}

Trace TraceWriter::finish(const std::string& machine, bool complete) {
  return {{{"displayTimeUnit", "ns"},
           {"otherData", {{key::unit, "1 us = 1 cycle"}, {key::architecture, machine}}},
           {key::trace_events, std::move(events_)}},
          complete && !dropped_};
}

std::string_view trace_notice(bool complete) {
  return complete ? "" : "the trace is truncated at its size limit; it contains the first events";
}

MaybeError write_trace(const std::filesystem::path& path, const Trace& trace) {
  return write_somewhere(path, trace.json.dump() + "\n");
}

}  // namespace nestor::io
