#include "model/cnm/dpu_machine.h"

#include <algorithm>

namespace nestor::cnm {

DpuMachine::DpuMachine(const System& system, Int tasklets)
    : system_(system),
      tasklets_(tasklets),
      barrier_cycles_(barrier_cycles(system, tasklets)),
      read_return_(return_cycles(system.dma.read)),
      write_return_(return_cycles(system.dma.write)) {}

void DpuMachine::start(const FlatProgram& program, std::span<const Int> trips) {
  program_ = &program;
  trips_ = trips;
  running_ = static_cast<std::size_t>(tasklets_);
  waiting_ = 0;
  now_ = free_ = last_end_ = 0;
  refresh_ = system_.dma.refresh.every;
  causes_ = {};
  busy_.clear();
  for (const Step& step : program.steps) {
    const bool request = step.kind == ItemKind::read || step.kind == ItemKind::write;
    const TransferTime& time = step.kind == ItemKind::read ? system_.dma.read : system_.dma.write;
    busy_.push_back(request ? busy_cycles(time, step.amount) : 0);
  }
  for (std::size_t i = 0; i < running_; ++i) {
    Tasklet& tasklet = store_[i];
    tasklet = {.ready = static_cast<Int>(i), .index = static_cast<std::uint32_t>(i)};
    order_[i] = &tasklet;
    fetch(tasklet);
  }
}

// Moves on to the next request or the end, and gathers the slots before it.
void DpuMachine::fetch(Tasklet& tasklet) {
  const auto& steps = program_->steps;
  while (tasklet.next < steps.size()) {
    const Step& step = steps[tasklet.next];
    if (step.kind == ItemKind::slots) {
      tasklet.slots += step.amount;
    } else if (step.kind == ItemKind::loop) {
      Int& left = tasklet.left[step.depth];  // 0 when the loop is entered, and again when it is done
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

// Cycles of [from, to), in which no slot is issued, that the engine is busy or in refresh. The last transfer
// was issued before `from`, so up to free_ the engine is never idle; after that only windows of refresh
// count.
Int DpuMachine::idle_in_engine(Int from, Int to) const {
  const Int busy_until = std::clamp(free_, from, to);
  Int cycles = busy_until - from;
  const auto& [every, busy] = system_.dma.refresh;
  if (every > 0 && busy_until < to) {
    // Of the windows [n * every, n * every + busy), n >= 1: how many of their cycles lie before x.
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
  if (!with_causes_ || until <= now_) return;
  const Int engine = idle_in_engine(now_, until);
  causes_.dma += engine;
  causes_.gap += until - now_ - engine;
}

// Causes of `rotations` rotations after the first, which lies at the cycles `issued`: the same cycles again,
// each time `period` later. The cycle of the first rotation's start has been accounted for.
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
  // Issued before `time`, counted from `begin`.
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
    // Before the first window there is none; after that windows and turns together repeat.
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

// The tasklets that have slots and are ready before the first of them is again take one slot each, in
// order. If that repeats unchanged, as many turns are taken as end before anything else happens.
bool DpuMachine::issue_turns() {
  if (order_[0]->slots == 0) return false;
  const Int gap = system_.gap;
  auto& issued = issued_;
  const std::size_t runnable = running_ - waiting_;
  const Int first = std::max(order_[0]->ready, now_);
  std::size_t members = 0;
  Int fewest = max_count;
  Int time = first;
  while (members < runnable && order_[members]->slots > 0 && order_[members]->ready < first + gap) {
    time = std::max(order_[members]->ready, time);
    if (time > now_) skip_gap_until(time);
    issued[members] = time;
    now_ = ++time;
    fewest = std::min(fewest, order_[members]->slots);
    ++members;
  }
  causes_.issue += static_cast<Int>(members);

  const auto count = static_cast<Int>(members);
  const Int last = issued[members - 1];
  const Int period = std::max(gap, count);
  Int more = 0;
  if (fewest > 1 && last - first < period) {
    more = fewest - 1;
    if (members < runnable) {
      const Int room = order_[members]->ready - 1 - gap - last;
      more = room < 0 ? 0 : std::min(more, room / period + 1);
    }
  }
  if (more > 0) {
    if (with_causes_) count_rotations({issued.data(), members}, period, more);
    now_ = last + more * period + 1;
  }
  for (std::size_t i = 0; i < members; ++i) {
    order_[i]->ready = issued[i] + more * period + gap;
    order_[i]->slots -= more + 1;
  }
  // The members are in order among themselves; those behind them move up past them.
  for (std::size_t i = members; i < runnable; ++i) {
    Tasklet* moved = order_[i];
    std::size_t at = i;
    while (at > 0 && (order_[at - 1]->ready > moved->ready ||
                      (order_[at - 1]->ready == moved->ready && order_[at - 1]->index > moved->index))) {
      order_[at] = order_[at - 1];
      --at;
    }
    if (at == i) break;
    order_[at] = moved;
  }
  return true;
}

// Puts the tasklet at `position` where its new ready time belongs.
void DpuMachine::settle(std::size_t position) {
  Tasklet* moved = order_[position];
  const std::size_t runnable = running_ - waiting_;
  while (position + 1 < runnable &&
         (order_[position + 1]->ready < moved->ready ||
          (order_[position + 1]->ready == moved->ready && order_[position + 1]->index < moved->index))) {
    order_[position] = order_[position + 1];
    ++position;
  }
  order_[position] = moved;
}

void DpuMachine::transfer(Tasklet& tasklet, const Step& step) {
  const Int t = std::max(tasklet.ready, now_);
  skip_gap_until(t);
  ++causes_.issue;
  now_ = t + 1;
  const auto& [every, busy] = system_.dma.refresh;
  Int start = std::max(t, free_);
  if (every > 0) {
    if (refresh_ + busy <= start) refresh_ += ((start - refresh_ - busy) / every + 1) * every;
    if (start >= refresh_) {
      start = refresh_ + busy;
      refresh_ += every;
    }
  }
  Int end = start + busy_[static_cast<std::size_t>(&step - program_->steps.data())];
  while (every > 0 && end > refresh_) {
    end += busy;
    refresh_ += every;
  }
  free_ = end;
  const Int back = step.kind == ItemKind::read ? read_return_ : write_return_;
  tasklet.ready = std::max(end + back, t + system_.gap);
}

void DpuMachine::arrive(Tasklet& tasklet) {
  const Int t = std::max(tasklet.ready, now_);
  skip_gap_until(t);
  now_ = std::max(now_, t);
  // It steps behind those that still run.
  const std::size_t runnable = running_ - waiting_;
  for (std::size_t i = 0; i + 1 < runnable; ++i) order_[i] = order_[i + 1];
  order_[runnable - 1] = &tasklet;
  ++waiting_;
  if (waiting_ < running_) return;
  const Int release = t + barrier_cycles_;
  causes_.barrier += release - t;
  now_ = release;
  waiting_ = 0;
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(running_),
            [](const Tasklet* a, const Tasklet* b) { return a->index < b->index; });
  for (std::size_t i = 0; i < running_; ++i) {
    order_[i]->ready = release;
    ++order_[i]->next;
    fetch(*order_[i]);
  }
}

void DpuMachine::leave(std::size_t position, Int end) {
  last_end_ = std::max(last_end_, end);
  for (std::size_t i = position; i + 1 < running_; ++i) order_[i] = order_[i + 1];
  --running_;
}

std::optional<DpuRun> DpuMachine::run(const FlatProgram& program, std::span<const Int> trips, Int& budget,
                                      bool with_causes) {
  with_causes_ = with_causes;
  start(program, trips);
  while (running_ > 0) {
    if (--budget < 0) return std::nullopt;
    if (issue_turns()) continue;
    Tasklet& tasklet = *order_[0];
    if (tasklet.next >= program.steps.size()) {
      leave(0, tasklet.ready);
      continue;
    }
    const Step& step = program.steps[tasklet.next];
    if (step.kind == ItemKind::barrier) {
      arrive(tasklet);
      continue;
    }
    transfer(tasklet, step);
    ++tasklet.next;
    fetch(tasklet);
    settle(0);
  }
  skip_gap_until(last_end_);
  return DpuRun{std::max(last_end_, now_), causes_};
}

}  // namespace nestor::cnm
