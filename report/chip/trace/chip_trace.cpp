#include "report/chip/trace/chip_trace.h"

#include <algorithm>
#include <map>

#include "report/keys/chip.h"

namespace nestor::io {
namespace {

constexpr int rewrite_track = 1;
constexpr int first_operator_track = 2;

class ChipTrace {
 public:
  ChipTrace(const chip_program::Program& program, std::size_t most_events)
      : program_(program), writer_(most_events) {}

  Trace build(const std::string& machine, const sim::chip::Timing& timing) {
    writer_.name_track(rewrite_track, "rewriting");
    for (std::size_t i = 0; i < program_.operators.size(); ++i)
      writer_.name_track(track_of(i), program_.operators[i].name);
    Int begin = 0;
    for (const auto& segment : timing.segments) {
      add("rewrite", rewrite_track, begin, begin + segment.rewrite_cycles);
      begin += segment.rewrite_cycles;
      for (const auto& thread : segment.threads) add_thread(thread, begin);
      begin += segment.schedule_cycles;
    }
    add_counter();
    return writer_.finish(machine, true);
  }

 private:
  static int track_of(std::size_t op) { return first_operator_track + static_cast<int>(op); }

  void add(const std::string& name, int track, Int from, Int to) {
    if (to > from) writer_.add_slice(track, name, from, to);
  }

  void add_thread(const sim::chip::ThreadTime& thread, Int begin) {
    const int track = track_of(thread.op);
    if (thread.rows.empty()) add("block", track, begin, begin + thread.end);
    for (std::size_t r = 0; r < thread.rows.size(); ++r) {
      const auto& row = thread.rows[r];
      const bool waits = row.run > row.start;  // in a stream, after the first step
      const auto name = "row " + std::to_string(r);
      sim::chip::each_stretch(thread, row, [&](Int from, Int to) {
        add(waits && from == row.start ? name + ", first step" : name, track, begin + from, begin + to);
        if (to == from || row.end == row.run || thread.active == 0) return;
        changes_[begin + from] += thread.active;
        changes_[begin + to] -= thread.active;
      });
    }
  }

  void add_counter() {
    Int active = 0;
    for (const auto& [when, change] : changes_) {
      if (change == 0) continue;
      active += change;
      if (!writer_.take_room(1)) return;
      writer_.add_counter("crossbars at work", when, key::crossbars, active);
    }
  }

  const chip_program::Program& program_;
  TraceWriter writer_;
  std::map<Int, Int> changes_;
};

}  // namespace

Trace make_chip_trace(const std::string& machine, const chip_program::Program& program,
                      const sim::chip::Timing& timing, std::size_t most_events) {
  return ChipTrace(program, most_events).build(machine, timing);
}

}  // namespace nestor::io
