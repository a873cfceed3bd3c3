#include "report/trace/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/enum_words.h"
#include "io/output_file.h"
#include "report/keys/common.h"
#include "report/keys/trace.h"

namespace nestor::io {
namespace {

constexpr int array_track = 1;
constexpr int stall_track = 2;
constexpr int first_port_track = 3;
constexpr int process = 1;
constexpr auto transfer_kinds =
    enum_words<sim::cim::TransferKind>({{sim::cim::TransferKind::fetch, "fetch"},
                                        {sim::cim::TransferKind::fetch_ahead, "fetch ahead"},
                                        {sim::cim::TransferKind::write_back, "write back"}});

/// Collects what the window asks for, and stops the replay once nothing more can fall into it.
class TraceBuilder : public sim::cim::TimelineSink {
 public:
  TraceBuilder(const NamedArchitecture& architecture, const TraceOptions& options)
      : named_(architecture), options_(options) {}

  bool on_mvm(const sim::cim::MvmEvent& event) override {
    now_ = event.start;
    if (event.waited > 0)
      add_slice(stall_track, fmt::format("wait: {}", sim::cim::name_of(event.cause)),
                event.start - event.waited, event.start, Json::object());
    if (run_.steps > 0 && (event.waited > 0 || !wanted(event.start, event.end))) flush_run();
    if (wanted(event.start, event.end)) {
      if (run_.steps == 0) run_ = {event.step, 0, event.start, event.start};
      ++run_.steps;
      run_.end = event.end;
    }
    return goes_on();
  }

  bool on_transfer(const sim::cim::TransferEvent& event) override {
    const auto port = std::pair(event.operand, event.inner);
    auto [track, is_new] = ports_.try_emplace(port, first_port_track + static_cast<int>(ports_.size()));
    if (is_new) name_track(track->second, port_name(event));
    add_slice(track->second, fmt::format("{} tile {}", transfer_kinds.word(event.kind), event.tile),
              event.start, event.end, {{"tile", event.tile}});
    reached_[port] = event.start;
    return goes_on();
  }

  bool on_buffer(const sim::cim::BufferEvent& event) override {
    if (wanted(event.start, event.end) && has_room()) {
      changes_[event.memory].emplace_back(event.start, event.bits);
      changes_[event.memory].emplace_back(event.end, -event.bits);
      counted_ += 2;
    }
    return goes_on();
  }

  Trace finish(sim::cim::ReplayStatus status) {
    flush_run();
    name_track(array_track, "array");
    name_track(stall_track, "array waits");
    add_counters();
    const bool stopped_short = status != sim::cim::ReplayStatus::complete && !beyond_window();
    return {{{"displayTimeUnit", "ns"},
             {"otherData", {{key::unit, "1 us = 1 cycle"}, {key::architecture, named_.name}}},
             {"traceEvents", std::move(events_)}},
            !dropped_ && !stopped_short};
  }

 private:
  /// MVMs back to back: one slice.
  struct Run {
    Int first = 0;
    Int steps = 0;
    Int start = 0;
    Int end = 0;
  };

  bool wanted(Int start, Int end) const { return end > options_.begin_cycle && start < options_.end_cycle; }

  bool has_room() {
    dropped_ |= counted_ >= options_.max_events;
    return !dropped_;
  }

  /// Events of one track come in order, those of different tracks do not.
  bool beyond_window() const {
    return now_ >= options_.end_cycle && std::all_of(reached_.begin(), reached_.end(), [&](const auto& port) {
             return port.second >= options_.end_cycle;
           });
  }
  bool goes_on() const { return !dropped_ && !beyond_window(); }

  void add_slice(int track, std::string name, Int start, Int end, Json details) {
    if (!wanted(start, end) || !has_room()) return;
    ++counted_;
    Json slice = {{key::name, std::move(name)}, {key::ph, "X"}, {key::ts, start}, {key::dur, end - start}};
    slice[key::pid] = process;
    slice[key::tid] = track;
    if (!details.empty()) slice[key::args] = std::move(details);
    events_.push_back(std::move(slice));
  }

  void flush_run() {
    if (run_.steps == 0) return;
    add_slice(array_track, run_.steps == 1 ? "MVM" : fmt::format("{} MVMs", run_.steps), run_.start, run_.end,
              {{"first_step", run_.first}, {key::steps, run_.steps}});
    run_ = {};
  }

  void name_track(int track, const std::string& name) {
    events_.push_back({{key::name, "thread_name"},
                       {key::ph, "M"},
                       {key::pid, process},
                       {key::tid, track},
                       {key::args, {{key::name, name}}}});
  }

  std::string port_name(const sim::cim::TransferEvent& event) const {
    return fmt::format("{}: {} - {}", letter(event.operand), named_.memory_names[event.outer],
                       named_.memory_names[event.inner]);
  }

  void add_counters() {
    for (auto& [memory, changes] : changes_) {
      std::sort(changes.begin(), changes.end());
      Int bits = 0;
      for (std::size_t i = 0; i < changes.size(); ++i) {
        bits += changes[i].second;
        if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
        events_.push_back({{key::name, fmt::format("{} bits", named_.memory_names[memory])},
                           {key::ph, "C"},
                           {key::ts, changes[i].first},
                           {key::pid, process},
                           {key::args, {{"occupied", bits}}}});
      }
    }
  }

  const NamedArchitecture& named_;
  const TraceOptions& options_;
  Json events_ = Json::array();
  std::size_t counted_ = 0;
  bool dropped_ = false;
  Int now_ = 0;
  Run run_;
  std::map<std::pair<Operand, std::size_t>, int> ports_;             ///< track of each port
  std::map<std::pair<Operand, std::size_t>, Int> reached_;           ///< start of its last event
  std::map<std::size_t, std::vector<std::pair<Int, Int>>> changes_;  ///< per memory: time, bits more or less
};

}  // namespace

Trace make_trace(const LayerShape& layer, const NamedArchitecture& architecture, const Mapping& mapping,
                 const TraceOptions& options) {
  TraceBuilder builder(architecture, options);
  const auto result = sim::cim::replay_timeline(layer, architecture.machine, mapping, builder,
                                                {.plain = true, .step_limit = options.step_limit});
  return builder.finish(result.status);
}

std::string_view trace_notice(bool complete) {
  return complete ? "" : "the trace is cut at its size limit; it holds the first events";
}

MaybeError write_trace(const std::filesystem::path& path, const Trace& trace) {
  return write_somewhere(path, trace.json.dump() + "\n");
}

}  // namespace nestor::io
