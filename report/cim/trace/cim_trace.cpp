#include "report/cim/trace/cim_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/enum_words.h"
#include "report/keys/common.h"

namespace nestor::io {
namespace {

constexpr int array_track = 1;
constexpr int stall_track = 2;
constexpr int first_port_track = 3;
constexpr auto transfer_kinds =
    enum_words<sim::cim::TransferKind>({{sim::cim::TransferKind::fetch, "fetch"},
                                        {sim::cim::TransferKind::fetch_ahead, "fetch ahead"},
                                        {sim::cim::TransferKind::write_back, "write back"}});

/// Collects the events of the window, and stops the replay when the window cannot contain any further event.
class CimTrace : public sim::cim::TimelineSink {
 public:
  CimTrace(const NamedArchitecture& architecture, const TraceOptions& options)
      : named_(architecture), options_(options), writer_(options.max_events) {}

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
    if (is_new) writer_.name_track(track->second, port_name(event));
    add_slice(track->second, fmt::format("{} tile {}", transfer_kinds.word(event.kind), event.tile),
              event.start, event.end, {{"tile", event.tile}});
    reached_[port] = event.start;
    return goes_on();
  }

  bool on_buffer(const sim::cim::BufferEvent& event) override {
    if (options_.counters && wanted(event.start, event.end) && writer_.take_room(2)) {
      changes_[event.memory].emplace_back(event.start, event.bits);
      changes_[event.memory].emplace_back(event.end, -event.bits);
    }
    return goes_on();
  }

  Trace finish(sim::cim::ReplayStatus status) {
    flush_run();
    writer_.name_track(array_track, "array");
    writer_.name_track(stall_track, "array waits");
    add_counters();
    const bool stopped_short = status != sim::cim::ReplayStatus::complete && !beyond_window();
    return writer_.finish(named_.name, !stopped_short);
  }

 private:
  /// Consecutive MVMs without waits, shown as one slice.
  struct Run {
    Int first = 0;
    Int steps = 0;
    Int start = 0;
    Int end = 0;
  };

  bool wanted(Int start, Int end) const { return end > options_.begin_cycle && start < options_.end_cycle; }

  /// True if no further event can be in the window. Events of one track arrive in order, but events of
  /// different tracks may not.
  bool beyond_window() const {
    return now_ >= options_.end_cycle && std::all_of(reached_.begin(), reached_.end(), [&](const auto& port) {
             return port.second >= options_.end_cycle;
           });
  }
  bool goes_on() const { return !writer_.dropped() && !beyond_window(); }

  void add_slice(int track, std::string name, Int start, Int end, Json details) {
    if (wanted(start, end)) writer_.add_slice(track, std::move(name), start, end, std::move(details));
  }

  void flush_run() {
    if (run_.steps == 0) return;
    add_slice(array_track, run_.steps == 1 ? "MVM" : fmt::format("{} MVMs", run_.steps), run_.start, run_.end,
              {{"first_step", run_.first}, {key::steps, run_.steps}});
    run_ = {};
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
        writer_.add_counter(fmt::format("{} bits", named_.memory_names[memory]), changes[i].first, "occupied",
                            bits);
      }
    }
  }

  const NamedArchitecture& named_;
  const TraceOptions& options_;
  TraceWriter writer_;
  Int now_ = 0;
  Run run_;
  std::map<std::pair<Operand, std::size_t>, int> ports_;             ///< track of each port
  std::map<std::pair<Operand, std::size_t>, Int> reached_;           ///< start of the last event of each port
  std::map<std::size_t, std::vector<std::pair<Int, Int>>> changes_;  ///< time and change, per memory
};

}  // namespace

Trace make_trace(const LayerShape& layer, const NamedArchitecture& architecture, const Mapping& mapping,
                 const TraceOptions& options) {
  CimTrace builder(architecture, options);
  const auto result = sim::cim::replay_timeline(layer, architecture.machine, mapping, builder,
                                                {.plain = true, .step_limit = options.step_limit});
  return builder.finish(result.status);
}

}  // namespace nestor::io
