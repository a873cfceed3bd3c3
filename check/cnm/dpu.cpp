// Simulation of the machine of docs/models/cnm.md, "The UPMEM machine", slot by slot except for repeated
// rotations. The estimate of "The engine" is derived from a few simulated runs.
#include <algorithm>

#include "check/cnm/model.h"

namespace nestor::check::cnm {
namespace {

using What = ProgramStep::What;
constexpr Int never = Int{1} << 60;
constexpr Int most_events = 50'000'000;  // maximum number of events in one run

struct Tasklet {
  std::size_t at = 0;  ///< index of the next step
  Int left = 0;        ///< remaining slots of this step, or 0
  Int ready = 0;
  bool waits = false, has_ended = false;
  std::vector<Int> done;  ///< completed trips of each loop
};

class Dpu {
 public:
  Dpu(const CnmMachine& machine, const Program& program, const Tuple& trips, Int count)
      : machine_(machine), program_(program), trips_(trips) {
    ports_.assign(static_cast<std::size_t>(machine.ports_of(count)), {0, machine.refresh_every});
    tasklets_.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      tasklets_[i].ready = static_cast<Int>(i);
      tasklets_[i].done.assign(trips.size(), 0);
      arrive(i);
    }
  }

  Int run() {
    for (std::size_t next = least_ready(); next < tasklets_.size(); next = least_ready()) {
      if (++events_ > most_events) throw TooLarge();
      if (tasklets_[next].left > 0 && skip_rotations()) continue;
      take(next);
    }
    return end_;
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
    if (step.what == What::barrier) {
      now_ = t;
      tasklet.waits = true;
      release(t);
      return;
    }
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
    while (every > 0 && refresh + busy <= start) refresh += every;
    if (every > 0 && start >= refresh) {
      start = refresh + busy;
      refresh += every;
    }
    free = start + transfer.busy(step.amount);
    for (; every > 0 && free > refresh; refresh += every) free += busy;
    return free + transfer.back;
  }

  // Releases all waiting tasklets together once every tasklet waits or has ended.
  void release(Int t) {
    for (const Tasklet& tasklet : tasklets_)
      if (!tasklet.has_ended && !tasklet.waits) return;
    const Int ready = t + machine_.barrier_cycles(static_cast<Int>(tasklets_.size()));
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
    events_ += static_cast<Int>(rotating_.size());
    return true;
  }

  const CnmMachine& machine_;
  const Program& program_;
  const Tuple& trips_;
  std::vector<Tasklet> tasklets_;
  std::vector<std::size_t> rotating_;
  struct Port {
    Int free, refresh;  ///< cycle when its last transfer ends, and cycle of its next refresh
  };
  std::vector<Port> ports_;
  Int now_ = 0, end_ = 0, events_ = 0;
};

}  // namespace

Int cycles_of(const CnmMachine& machine, const Program& program, const Tuple& trips, Int tasklets) {
  return Dpu(machine, program, trips, tasklets).run();
}

namespace {

class Estimate {
 public:
  Estimate(const CnmMachine& machine, const Program& program, Int tasklets)
      : machine_(machine), program_(program), tasklets_(tasklets), loops_(program.loops.size()) {}

  Fraction run() {
    Wide innermost = 0;
    for (std::size_t q = 0; q < loops_.size(); ++q)
      if (program_.loops[q].is_innermost) innermost = plus(innermost, whole_runs(q));
    Fraction cycles;
    if (innermost <= machine_.whole) {
      Tuple trips;
      for (const ProgramLoop& loop : program_.loops) trips.push_back(loop.trips);
      cycles = Fraction(cycles_of(machine_, program_, trips, tasklets_));
    } else {
      Int k = machine_.k;
      for (; !measure(k) && k < machine_.k_max; k *= 2) {
      }
      cycles = Fraction(base_);
      for (std::size_t q = 0; q < loops_.size(); ++q)
        if (program_.loops[q].around == 0) cycles = cycles + extra(q);
    }
    return cycles < program_.bound ? program_.bound : cycles;
  }

 private:
  struct Reduced {
    Int trips = 1, step = 1;
    Int delta = 0;  ///< cycles of `step` additional trips
  };

  Wide whole_runs(std::size_t q) const {
    Wide runs = program_.loops[q].trips;
    for (std::size_t a = program_.loops[q].around; a > 0; a = program_.loops[a - 1].around)
      runs = times(runs, Wide{program_.loops[a - 1].trips});
    return runs;
  }
  Int run_with(std::size_t longer, Int more) const {
    Tuple trips;
    for (const Reduced& loop : loops_) trips.push_back(loop.trips);
    if (longer < trips.size()) trips[longer] += more;
    return cycles_of(machine_, program_, trips, tasklets_);
  }

  // Measures the cycles that additional trips of each loop take. Returns true if the cycles of all innermost
  // loops grow linearly, within alpha.
  bool measure(Int k) {
    for (std::size_t q = 0; q < loops_.size(); ++q) {
      const ProgramLoop& loop = program_.loops[q];
      const Int step = loop.is_innermost ? k : 2;
      loops_[q] = {loop.trips < 3 * step ? loop.trips : step, step, 0};
    }
    base_ = run_with(loops_.size(), 0);
    bool is_linear = true;
    for (std::size_t q = 0; q < loops_.size(); ++q) {
      Reduced& loop = loops_[q];
      if (loop.trips == program_.loops[q].trips) continue;
      const Int once = run_with(q, loop.step);
      loop.delta = once - base_;
      if (!program_.loops[q].is_innermost) continue;
      const Int second = run_with(q, 2 * loop.step) - once;
      const Fraction most = machine_.alpha * Fraction(second);
      if (most < Fraction(std::max(second - loop.delta, loop.delta - second))) is_linear = false;
      loop.delta = second;
    }
    return is_linear;
  }

  // Returns the cycles that the omitted trips of loop q and of its inner loops add to one run of loop q.
  Fraction extra(std::size_t q) const {
    const ProgramLoop& loop = program_.loops[q];
    const Reduced& reduced = loops_[q];
    Fraction inside;
    for (std::size_t c = q + 1; c < loops_.size(); ++c)
      if (program_.loops[c].around == q + 1) inside = inside + extra(c);
    if (reduced.trips == loop.trips) return Fraction(loop.trips) * inside;
    Wide runs = reduced.step;
    for (std::size_t a = loop.around; a > 0; a = program_.loops[a - 1].around)
      runs = times(runs, Wide{loops_[a - 1].trips});
    const Fraction one_more(reduced.delta, runs);
    return Fraction(loop.trips) * (one_more + inside) - Fraction(reduced.trips) * one_more;
  }

  const CnmMachine& machine_;
  const Program& program_;
  Int tasklets_;
  std::vector<Reduced> loops_;
  Int base_ = 0;
};

}  // namespace

Fraction estimate(const CnmMachine& machine, const Program& program, Int tasklets) {
  return Estimate(machine, program, tasklets).run();
}

}  // namespace nestor::check::cnm
