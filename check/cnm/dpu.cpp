// Simulation of the machine of docs/models/cnm.md, "The UPMEM machine", slot by slot except for repeated
// rotations.
#include <algorithm>
#include <numeric>

#include "check/cnm/model.h"

namespace nestor::check::cnm {
namespace {

using What = ProgramStep::What;
constexpr Int never = Int{1} << 60;

struct Tasklet {
  std::size_t at = 0;  ///< index of the next step
  Int left = 0;        ///< remaining slots of this step, or 0
  Int ready = 0;
  bool waits = false, has_ended = false;
  std::vector<Int> done;  ///< completed trips of each loop
};

class Dpu {
 public:
  Dpu(const CnmMachine& machine, const Program& program, const Tuple& trips, Int count, bool wants_causes,
      Int& events_left)
      : machine_(machine),
        program_(program),
        trips_(trips),
        wants_causes_(wants_causes),
        events_left_(events_left) {
    ports_.assign(static_cast<std::size_t>(machine.ports_of(count)), {0, machine.refresh_every});
    tasklets_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      tasklets_[i].ready = static_cast<Int>(i);
      tasklets_[i].done.assign(trips.size(), 0);
      arrive(i);
    }
  }

  Run run() {
    for (std::size_t next = least_ready(); next < tasklets_.size(); next = least_ready()) {
      use_events(1);
      if (tasklets_[next].left > 0 && skip_rotations()) continue;
      take(next);
    }
    count_idle(end_);
    return {end_, counts_};
  }

 private:
  std::size_t least_ready() const {
    std::size_t least = tasklets_.size();
    Int ready = never;
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      const Tasklet& tasklet = tasklets_[i];
      if (tasklet.ready >= ready || tasklet.waits || tasklet.has_ended) continue;
      least = i;
      ready = tasklet.ready;
    }
    return least;
  }

  // Advances to the next step that takes time.
  void arrive(std::size_t i) {
    Tasklet& tasklet = tasklets_[i];
    for (;; ++tasklet.at) {
      if (tasklet.at == program_.steps.size()) return;
      const ProgramStep& step = program_.steps[tasklet.at];
      if (step.what == What::leave) {
        if (i == 0) continue;
        tasklet.at = program_.steps.size();
        return;
      }
      if (step.what != What::loop) {
        tasklet.left = step.what == What::slots ? step.amount : 0;
        return;
      }
      if (++tasklet.done[step.loop] < trips_[step.loop]) {
        tasklet.at = step.start - 1;  // the first step of its body is next
      } else {
        tasklet.done[step.loop] = 0;
      }
    }
  }

  void take(std::size_t i) {
    Tasklet& tasklet = tasklets_[i];
    const Int t = std::max(tasklet.ready, now_);
    if (tasklet.at == program_.steps.size()) {
      tasklet.has_ended = true;
      end_ = std::max(end_, tasklet.ready);
      release(tasklet.ready);
      return;
    }
    const ProgramStep& step = program_.steps[tasklet.at];
    count_idle(t);
    if (step.what == What::barrier) {
      now_ = t;
      tasklet.waits = true;
      release(t);
      return;
    }
    ++counts_[of_issue];
    now_ = t + 1;
    tasklet.ready = t + machine_.gap;
    if (step.what != What::slots) tasklet.ready = std::max(tasklet.ready, end_of_transfer(step, t));
    if (step.what == What::slots && --tasklet.left > 0) return;
    ++tasklet.at;
    arrive(i);
  }

  Int end_of_transfer(const ProgramStep& step, Int t) {
    const TransferRate& transfer = step.what == What::read ? machine_.read : machine_.write;
    const Int every = machine_.refresh_every, busy = machine_.refresh_busy;
    Port* port = &ports_.front();
    for (Port& other : ports_)
      if (other.free < port->free) port = &other;
    auto& [free, refresh] = *port;
    Int start = std::max(t, free);
    if (every > 0 && refresh + busy <= start) refresh += ((start - refresh - busy) / every + 1) * every;
    if (every > 0 && start >= refresh) {
      start = refresh + busy;
      refresh += every;
    }
    free = start + transfer.busy(step.amount);
    if (every > 0 && free > refresh) {
      const Int refreshes = ceiling(free - refresh, every - busy);
      free += refreshes * busy;
      refresh += refreshes * every;
    }
    return free + transfer.back;
  }

  // Releases all waiting tasklets together once every tasklet waits or has ended.
  void release(Int t) {
    bool is_over = true;
    for (const Tasklet& tasklet : tasklets_) {
      if (!tasklet.has_ended && !tasklet.waits) return;
      is_over &= tasklet.has_ended;
    }
    if (is_over) return;
    const Int ready = t + machine_.barrier_cycles(static_cast<Int>(tasklets_.size()));
    counts_[of_barrier] += std::max<Int>(0, ready - now_);
    now_ = std::max(now_, ready);
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      Tasklet& tasklet = tasklets_[i];
      if (tasklet.has_ended) continue;
      tasklet.waits = false;
      tasklet.ready = ready;
      ++tasklet.at;
      arrive(i);
    }
  }

  // Skips repeated rotations. Tasklets with slots take turns until another tasklet is ready. If one round of
  // turns advances everything by the same number of cycles, so do all further rounds. Returns false, and
  // changes nothing, if another tasklet is ready before the first round ends.
  bool skip_rotations() {
    Int other = never, fewest = never;
    rotating_.clear();
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      const Tasklet& tasklet = tasklets_[i];
      if (tasklet.waits || tasklet.has_ended) continue;
      if (tasklet.left > 0)
        rotating_.push_back(i);
      else
        other = std::min(other, tasklet.ready);
    }
    const auto by_turn = [this](std::size_t a, std::size_t b) {
      return std::pair(tasklets_[a].ready, a) < std::pair(tasklets_[b].ready, b);
    };
    std::sort(rotating_.begin(), rotating_.end(), by_turn);
    const Int first_again = std::max(tasklets_[rotating_.front()].ready, now_) + machine_.gap;
    while (tasklets_[rotating_.back()].ready >= first_again) {
      other = std::min(other, tasklets_[rotating_.back()].ready);
      rotating_.pop_back();
    }
    const Int last = tasklets_[rotating_.back()].ready;
    if (last >= other) return false;
    for (const std::size_t i : rotating_) fewest = std::min(fewest, tasklets_[i].left);
    const Int period = std::max<Int>(static_cast<Int>(rotating_.size()), machine_.gap);
    Int now = now_;
    bool is_steady = true;
    for (const std::size_t i : rotating_) {
      const Int t = std::max(tasklets_[i].ready, now);
      is_steady &= t + machine_.gap == tasklets_[i].ready + period;
      now = t + 1;
    }
    is_steady &= now == now_ + period;
    const Int rounds = is_steady ? std::min(fewest, (other - 1 - last) / period + 1) : 1;
    if (wants_causes_) count_rotations(rounds, period);
    now = now_;
    for (const std::size_t i : rotating_) {
      Tasklet& tasklet = tasklets_[i];
      const Int t = std::max(tasklet.ready, now);
      now = t + 1;
      tasklet.ready = t + machine_.gap + (rounds - 1) * period;
      tasklet.left -= rounds;
      if (tasklet.left > 0) continue;
      ++tasklet.at;
      arrive(i);
    }
    now_ = now + (rounds - 1) * period;
    use_events(static_cast<Int>(rotating_.size()));
    return true;
  }

  void use_events(Int count) {
    events_left_ -= count;
    if (events_left_ < 0) throw NotChecked("its program is too long to be simulated");
  }

  // Returns the number of idle cycles in [begin, end) in which the memory is refreshed. `idle(t)` is the
  // number of idle cycles before cycle t. They repeat after `period` cycles.
  template <typename Idle>
  Int idle_in_refresh(Int begin, Int end, Int period, const Idle& idle) const {
    const Int every = machine_.refresh_every;
    if (every == 0) return 0;
    const Int first = std::max<Int>(1, begin / every) * every;
    if (first >= end) return 0;
    const auto inside = [&](Int number) {
      const Int start = first + number * every;
      const Int from = std::max(start, begin), to = std::min(end, start + machine_.refresh_busy);
      return from < to ? idle(to) - idle(from) : 0;
    };
    // The range may cut the first and the last refresh. The others repeat.
    const Int last = (end - first - 1) / every, others = last - 1;
    Int count = inside(0) + (last > 0 ? inside(last) : 0);
    if (others <= 0) return count;
    const Int cycle = std::min(others, period / std::gcd(period, every));
    Int of_cycle = 0;
    for (Int number = 1; number <= cycle; ++number) {
      of_cycle += inside(number);
      if (number == others % cycle) count += of_cycle;
    }
    return count + others / cycle * of_cycle;
  }
  // Counts the idle cycles in [begin, end): for the engine if it is busy or the memory is refreshed, else as
  // gaps.
  template <typename Idle>
  void count_idle(Int begin, Int end, Int period, const Idle& idle) {
    Int busy = begin;
    for (const Port& port : ports_) busy = std::max(busy, std::min(end, port.free));
    const Int for_engine = idle(busy) - idle(begin) + idle_in_refresh(busy, end, period, idle);
    counts_[of_dma] += for_engine;
    counts_[of_gap] += idle(end) - idle(begin) - for_engine;
  }
  // Counts the cycles from now_ to `until`, in which no slot is issued.
  void count_idle(Int until) {
    if (wants_causes_ && until > now_) count_idle(now_, until, 1, [](Int t) { return t; });
  }
  // Counts the cycles of rounds in which the rotating tasklets issue one slot each.
  void count_rotations(Int rounds, Int period) {
    std::vector<Int> issued;  // cycles of the first round, from now_ on
    Int now = now_;
    for (const std::size_t i : rotating_) {
      issued.push_back(std::max(tasklets_[i].ready, now) - now_);
      now = now_ + issued.back() + 1;
    }
    const auto slots = static_cast<Int>(issued.size());
    const Int end = now + (rounds - 1) * period;
    counts_[of_issue] += rounds * slots;
    count_idle(now_, end, rounds > 1 ? period : std::max<Int>(1, end - now_), [&](Int t) {
      const Int passed = t - now_, round = std::min(passed / period, rounds - 1);
      const auto before = std::lower_bound(issued.begin(), issued.end(), passed - round * period);
      return passed - round * slots - (before - issued.begin());
    });
  }

  const CnmMachine& machine_;
  const Program& program_;
  const Tuple& trips_;
  const bool wants_causes_;
  enum Cause : std::uint8_t { of_issue, of_barrier, of_dma, of_gap };
  std::array<Int, 4> counts_{};
  std::vector<Tasklet> tasklets_;
  std::vector<std::size_t> rotating_;
  struct Port {
    Int free, refresh;  ///< cycle when its last transfer ends, and cycle of its next refresh
  };
  std::vector<Port> ports_;
  Int now_ = 0, end_ = 0;
  Int& events_left_;
};

}  // namespace

Run run_of(const CnmMachine& machine, const Program& program, const Tuple& trips, Int tasklets,
           bool wants_causes, Int& events_left) {
  return Dpu(machine, program, trips, tasklets, wants_causes, events_left).run();
}

}  // namespace nestor::check::cnm
