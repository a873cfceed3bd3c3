#include "model/cnm/dpu_machine.h"

#include <algorithm>
#include <limits>

namespace nestor::cnm {
namespace {

constexpr Int max_key = std::numeric_limits<Int>::max() / 2;

}  // namespace

DpuMachine::DpuMachine(const System& system, Int tasklets)
    : system_(system),
      tasklets_(tasklets),
      barrier_cycles_(barrier_cycles(system, tasklets)),
      read_return_(return_cycles(system.dma.read)),
      write_return_(return_cycles(system.dma.write)),
      ports_(static_cast<std::size_t>(ports_of(system.dma, tasklets))) {}

void DpuMachine::start(const FlatProgram& program, std::span<const Int> trips) {
  program_ = &program;
  trips_ = trips;
  running_ = static_cast<std::size_t>(tasklets_);
  waiting_ = 0;
  now_ = free_ = last_end_ = 0;
  std::fill(ports_.begin(), ports_.end(), Port{0, system_.dma.refresh.every});
  causes_ = {};
  turns_.clear();
  parked_.clear();
  skipped_time_ = skipped_slots_ = 0;
  fewest_ = max_count;
  busy_.clear();
  for (const Step& step : program.steps) {
    const bool request = step.kind == ItemKind::read || step.kind == ItemKind::write;
    const TransferTime& time = step.kind == ItemKind::read ? system_.dma.read : system_.dma.write;
    busy_.push_back(request ? busy_cycles(time, step.amount) : 0);
  }
  for (std::size_t i = 0; i < running_; ++i) {
    Tasklet& tasklet = store_[i];
    tasklet = {.ready = static_cast<Int>(i), .index = static_cast<std::uint32_t>(i)};
    fetch(tasklet);
    park(tasklet);
  }
}

// Advances a tasklet to its next request or its end, and adds up the slots before that step.
void DpuMachine::fetch(Tasklet& tasklet) {
  const auto& steps = program_->steps;
  while (tasklet.next < steps.size()) {
    const Step& step = steps[tasklet.next];
    if (step.kind == ItemKind::slots) {
      tasklet.slots += step.amount;
    } else if (step.kind == ItemKind::loop) {
      Int& left = tasklet.left[step.depth];  // 0 when the loop is entered, and again when it is finished
      if (left == 0) left = trips_[step.loop];
      if (--left > 0) {
        tasklet.next = step.target;
        continue;
      }
    } else if (step.kind == ItemKind::leave) {
      if (tasklet.index != 0) {
        tasklet.next = static_cast<std::uint32_t>(steps.size());
        return;
      }
    } else {
      return;
    }
    ++tasklet.next;
  }
}

// Returns the number of cycles in [from, to) in which the engine is busy or in refresh. No slot is issued in
// this interval. The last transfer was issued before `from`, so one port is always busy up to free_; after
// that, only refresh windows are included.
Int DpuMachine::idle_in_engine(Int from, Int to) const {
  const Int busy_until = std::clamp(free_, from, to);
  Int cycles = busy_until - from;
  const auto& [every, busy] = system_.dma.refresh;
  if (every > 0 && busy_until < to) {
    // Returns the number of cycles of the windows [n * every, n * every + busy), n >= 1, before x.
    const auto before = [every = every, busy = busy](Int x) {
      if (x <= every) return Int{0};
      const Int whole = x / every - 1;
      return whole * busy + std::min(busy, x % every);
    };
    cycles += before(to) - before(busy_until);
  }
  return cycles;
}

void DpuMachine::skip_gap_until(Int until) {
  if (until <= now_) return;
  const Int engine = idle_in_engine(now_, until);
  causes_.dma += engine;
  causes_.gap += until - now_ - engine;
}

// Adds the causes of the next `rotations` rotations. The previous rotation, which is already included, issued
// its slots at the cycles `issued`. These cycles repeat, each time `period` later.
void DpuMachine::count_rotations(std::span<const Int> issued, Int period, Int rotations) {
  const Int idle_per_turn = period - static_cast<Int>(issued.size());
  causes_.issue += static_cast<Int>(issued.size()) * rotations;
  if (idle_per_turn == 0 || rotations == 0) return;
  const Int begin = issued.back() + 1;
  const Int end = begin + rotations * period;
  const Int every = system_.dma.refresh.every;
  const Int busy = system_.dma.refresh.busy;
  if (free_ <= begin && every == 0) {
    causes_.gap += rotations * idle_per_turn;
    return;
  }
  // Returns the number of slots issued before `time`, starting at `begin`.
  const auto issued_until = [&](Int time) {
    const Int whole = (time - begin) / period;
    Int count = whole * static_cast<Int>(issued.size());
    for (const Int at : issued) count += static_cast<Int>(at + period - begin < (time - begin) % period);
    return count;
  };
  const auto idle_between = [&](Int from, Int to) {
    return to - from - (issued_until(to) - issued_until(from));
  };
  Int engine = 0;
  Int from = begin;
  if (free_ > begin) {
    from = std::min(free_, end);
    engine += idle_between(begin, from);
  }
  if (every > 0) {
    // There is no refresh before the first window. After it, windows and turns together are periodic.
    from = std::max(from, std::min(every, end));
    const Int common = every * period;
    const Int repeats = (end - from) / common;
    const auto in_windows = [&](Int low, Int high) {
      Int sum = 0;
      for (Int window = std::max(every, low / every * every); window < high; window += every)
        if (window + busy > low) sum += idle_between(std::max(window, low), std::min(window + busy, high));
      return sum;
    };
    if (repeats > 0) engine += repeats * in_windows(from, from + common);
    engine += in_windows(from + repeats * common, end);
  }
  causes_.dma += engine;
  causes_.gap += rotations * idle_per_turn - engine;
}

void DpuMachine::park(const Tasklet& tasklet) {
  parked_.insert({turn_key(tasklet.ready, tasklet.index), tasklet.slots});
}

// Issues one slot of each tasklet that takes turns, in order, up to a tasklet that has no slots left or a key
// above `limit`. Each tasklet is ready again one gap later.
void DpuMachine::take_turns(Int limit) {
  const Int skipped = skipped_time_, skipped_slots = skipped_slots_, gap = system_.gap;
  limit -= turn_key(skipped);
  Int now = now_, fewest = fewest_;
  std::size_t taken = 0;
  for (const std::size_t all = turns_.size(); taken < all; ++taken) {
    const Turn turn = turns_.front();
    if (turn.slots == skipped_slots || turn.key > limit) break;
    const Int ready = turn.ready() + skipped;
    if (ready > now) {
      now_ = now;
      skip_gap_until(ready);
      now = ready;
    }
    issued_[taken] = now;
    turns_.front_to_back({turn_key(now - skipped + gap, turn.index()), turn.slots - 1});
    fewest = std::min(fewest, turn.slots - 1);
    ++now;
  }
  now_ = now;
  fewest_ = fewest;
  causes_.issue += static_cast<Int>(taken);
}

// Skips rotations that end before any other event. In each rotation, every tasklet that takes turns issues
// one slot. With fewer than `gap` tasklets, no tasklet waits for another, and a rotation takes `gap` cycles.
// With more tasklets, slots follow one another without a break. The tasklets are then ready at the cycles
// just before now + gap, one per cycle. It suffices to test the first tasklet, since no two are ready in the
// same cycle and none is ready later.
void DpuMachine::skip_rotations() {
  const Int gap = system_.gap;
  const auto members = static_cast<Int>(turns_.size());
  const Int first = turns_.front().ready() + skipped_time_;
  if (members < gap ? first < now_ : first != now_ + gap - members) return;
  const Int last = turns_.back().ready() + skipped_time_;
  Int rotations = fewest_ - skipped_slots_;
  const Int period = std::max(gap, members);
  if (!parked_.empty()) {
    const Int back = parked_.front().ready();
    if (back <= last) return;
    const Int beyond = back - 1 - last;
    rotations = std::min(rotations, beyond < period ? 1 : beyond / period + 1);
  }
  if (rotations <= 0) return;
  take_turns(max_key);
  if (--rotations == 0) return;
  count_rotations({issued_.data(), static_cast<std::size_t>(members)}, period, rotations);
  skipped_time_ += rotations * period;
  skipped_slots_ += rotations;
  now_ = turns_.back().ready() + skipped_time_ - gap + 1;
}

// Issues slots until a tasklet reaches a step of another kind, and processes this step.
void DpuMachine::issue_slots() {
  while (true) {
    const Int limit = parked_.empty() ? max_key : parked_.front().key;
    if (!turns_.empty()) {
      if (fewest_ > skipped_slots_) skip_rotations();
      take_turns(limit);
      const Turn first = turns_.front();
      if (first.key + turn_key(skipped_time_) < limit) {
        if (first.slots > skipped_slots_) continue;
        turns_.pop();
        fewest_ = turns_.fewest_slots(max_count);
        return act(store_[first.index()], first.ready() + skipped_time_);
      }
    }
    if (parked_.empty()) return;
    const Turn turn = parked_.front();
    parked_.pop();
    if (turn.slots == 0) return act(store_[turn.index()], turn.ready());
    const Int t = std::max(turn.ready(), now_);
    skip_gap_until(t);
    ++causes_.issue;
    now_ = t + 1;
    const Int left = turn.slots - 1 + skipped_slots_;
    fewest_ = std::min(fewest_, left);
    turns_.push({turn_key(t + system_.gap - skipped_time_, turn.index()), left});
  }
}

// Processes the tasklet's next transfer, barrier or end.
void DpuMachine::act(Tasklet& tasklet, Int ready) {
  tasklet.ready = ready;
  tasklet.slots = 0;
  if (tasklet.next >= program_->steps.size()) {
    last_end_ = std::max(last_end_, tasklet.ready);
    --running_;
    return;
  }
  const Step& step = program_->steps[tasklet.next];
  if (step.kind == ItemKind::barrier) return arrive(tasklet);
  transfer(tasklet, step);
  ++tasklet.next;
  fetch(tasklet);
  park(tasklet);
}

void DpuMachine::transfer(Tasklet& tasklet, const Step& step) {
  const Int t = std::max(tasklet.ready, now_);
  skip_gap_until(t);
  ++causes_.issue;
  now_ = t + 1;
  const auto& [every, busy] = system_.dma.refresh;
  Port& port = *std::min_element(ports_.begin(), ports_.end(),
                                 [](const Port& a, const Port& b) { return a.free < b.free; });
  Int start = std::max(t, port.free);
  if (every > 0) {
    if (port.refresh + busy <= start) port.refresh += ((start - port.refresh - busy) / every + 1) * every;
    if (start >= port.refresh) {
      start = port.refresh + busy;
      port.refresh += every;
    }
  }
  Int end = start + busy_[static_cast<std::size_t>(&step - program_->steps.data())];
  while (every > 0 && end > port.refresh) {
    end += busy;
    port.refresh += every;
  }
  port.free = end;
  free_ = std::max(free_, end);
  const Int back = step.kind == ItemKind::read ? read_return_ : write_return_;
  tasklet.ready = std::max(end + back, t + system_.gap);
}

void DpuMachine::arrive(Tasklet& tasklet) {
  const Int t = std::max(tasklet.ready, now_);
  skip_gap_until(t);
  now_ = std::max(now_, t);
  tasklet.waiting = true;
  if (++waiting_ < running_) return;
  const Int release = t + barrier_cycles_;
  causes_.barrier += release - t;
  now_ = release;
  waiting_ = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tasklets_); ++i) {
    Tasklet& waiter = store_[i];
    if (!waiter.waiting) continue;
    waiter.waiting = false;
    waiter.ready = release;
    ++waiter.next;
    fetch(waiter);
    park(waiter);
  }
}

std::optional<DpuRun> DpuMachine::run(const FlatProgram& program, std::span<const Int> trips, Int& budget) {
  start(program, trips);
  while (running_ > 0) {
    if (--budget < 0) return std::nullopt;
    issue_slots();
  }
  skip_gap_until(last_end_);
  return DpuRun{std::max(last_end_, now_), causes_};
}

}  // namespace nestor::cnm
