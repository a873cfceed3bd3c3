#include "report/chip/trace/chip_trace.h"

#include <algorithm>
#include <map>

#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/keys/trace.h"

namespace nestor::io {
namespace {

constexpr int process = 1;
constexpr int rewrite_track = 1;
constexpr int first_operator_track = 2;

class TraceBuilder {
 public:
  TraceBuilder(const chip_program::Program& program, std::size_t most_events)
      : program_(program), most_events_(most_events) {}

  ChipTrace build(const sim::chip::Timing& timing) {
    name_track(rewrite_track, "rewriting");
    for (std::size_t i = 0; i < program_.operators.size(); ++i)
      name_track(track_of(i), program_.operators[i].name);
    Int begin = 0;
    for (const auto& segment : timing.segments) {
      add("rewrite", rewrite_track, begin, begin + segment.rewrite_cycles);
      begin += segment.rewrite_cycles;
      for (const auto& thread : segment.threads) add_thread(thread, begin);
      begin += segment.schedule_cycles;
    }
    add_counter();
    return {{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}}, complete_};
  }

 private:
  static int track_of(std::size_t op) { return first_operator_track + static_cast<int>(op); }

  void name_track(int track, const std::string& name) {
    events_.push_back({{key::ph, "M"},
                       {key::pid, process},
                       {key::tid, track},
                       {key::name, "thread_name"},
                       {key::args, {{key::name, name}}}});
  }

  bool has_room() {
    complete_ = complete_ && events_.size() < most_events_;
    return complete_;
  }

  void add(const std::string& name, int track, Int from, Int to) {
    if (to <= from || !has_room()) return;
    events_.push_back({{key::ph, "X"},
                       {key::pid, process},
                       {key::tid, track},
                       {key::name, name},
                       {key::ts, from},
                       {key::dur, to - from}});
  }

  void add_thread(const sim::chip::ThreadTime& thread, Int begin) {
    const int track = track_of(thread.op);
    if (thread.rows.empty()) add("block", track, begin, begin + thread.end);
    for (std::size_t r = 0; r < thread.rows.size(); ++r) {
      const auto& row = thread.rows[r];
      add("row " + std::to_string(r), track, begin + row.start, begin + row.end);
      if (row.end == row.start || thread.active == 0) continue;
      changes_[begin + row.start] += thread.active;
      changes_[begin + row.end] -= thread.active;
    }
  }

  void add_counter() {
    Int active = 0;
    for (const auto& [when, change] : changes_) {
      if (change == 0) continue;
      active += change;
      if (!has_room()) return;
      events_.push_back({{key::ph, "C"},
                         {key::pid, process},
                         {key::name, "crossbars at work"},
                         {key::ts, when},
                         {key::args, {{key::crossbars, active}}}});
    }
  }

  const chip_program::Program& program_;
  std::size_t most_events_;
  Json events_ = Json::array();
  std::map<Int, Int> changes_;
  bool complete_ = true;
};

}  // namespace

ChipTrace make_chip_trace(const chip_program::Program& program, const sim::chip::Timing& timing,
                          std::size_t most_events) {
  return TraceBuilder(program, most_events).build(timing);
}

}  // namespace nestor::io
