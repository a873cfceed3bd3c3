#include "model/cnm/dpu_clock.h"

#include <algorithm>
#include <limits>

namespace nestor::cnm {
namespace {

constexpr std::size_t most_stretches = 1 << 16;
constexpr Int never = std::numeric_limits<Int>::max();

}  // namespace

DpuClock::DpuClock(const System& system, Int tasklets)
    : system_(system),
      tasklets_(static_cast<std::uint32_t>(tasklets)),
      gap_(system.gap),
      barrier_cycles_(barrier_cycles(system, tasklets)),
      read_return_(return_cycles(system.dma.read)),
      write_return_(return_cycles(system.dma.write)),
      next_(tasklets_),
      places_(system.gap) {}

bool DpuClock::read(const FlatProgram& program, std::span<const Int> trips) {
  stretches_.clear();
  left_.fill(0);
  shared_ = 0;
  Int slots = 0;
  const auto put = [&](Ending ending, Int busy) {
    const bool transfer = ending == Ending::read || ending == Ending::write;
    stretches_.push_back({slots + Int{transfer}, busy, ending});
    slots = 0;
  };
  for (std::size_t at = 0; at < program.steps.size();) {
    const Step& step = program.steps[at];
    if (stretches_.size() > most_stretches) return false;
    switch (step.kind) {
      case ItemKind::slots:
        slots += step.amount;
        break;
      case ItemKind::read:
        put(Ending::read, busy_cycles(system_.dma.read, step.amount));
        break;
      case ItemKind::write:
        put(Ending::write, busy_cycles(system_.dma.write, step.amount));
        break;
      case ItemKind::barrier:
        if (shared_ != 0) return false;
        put(Ending::barrier, 0);
        break;
      case ItemKind::leave: {
        if (step.depth != 0 || shared_ != 0) return false;
        const Int before = slots;
        put(Ending::others_end, 0);
        slots = before;  // the first tasklet has them too, before what follows
        shared_ = stretches_.size();
        break;
      }
      case ItemKind::loop: {
        Int& left = left_[step.depth];  // 0 when the loop is entered, and again when it is done
        if (left == 0) left = trips[step.loop];
        if (--left > 0) {
          at = step.target;
          continue;
        }
        break;
      }
    }
    ++at;
  }
  put(Ending::end, 0);
  if (shared_ == 0) shared_ = stretches_.size();
  return true;
}

// A transfer whose slot is at this cycle; it begins after those before it, and refresh holds it up. Gives the
// cycle at which its tasklet is ready.
Int DpuClock::through_engine(Int slot, const Stretch& stretch) {
  const auto& [every, window] = system_.dma.refresh;
  Int begin = std::max(slot, free_);
  if (every > 0 && begin >= refresh_) {
    if (refresh_ + window <= begin) refresh_ += ((begin - refresh_ - window) / every + 1) * every;
    if (begin >= refresh_) {
      begin = refresh_ + window;
      refresh_ += every;
    }
  }
  Int end = begin + stretch.busy;
  while (every > 0 && end > refresh_) {
    end += window;
    refresh_ += every;
  }
  free_ = end;
  return std::max(slot + gap_, end + (stretch.ending == Ending::read ? read_return_ : write_return_));
}

void DpuClock::arrive(Int ready) {
  last_arrival_ = std::max(last_arrival_, ready);
  if (++waiting_ < tasklets_) return;
  waiting_ = 0;
  const Int release = last_arrival_ + barrier_cycles_;
  for (std::uint32_t i = 0; i < tasklets_; ++i) {
    ++next_[i];
    start(i, release);
  }
}

// On its way to the slots that come next.
void DpuClock::start(std::uint32_t tasklet, Int ready) {
  std::uint32_t& next = next_[tasklet];
  if (tasklet == 0 && stretches_[next].ending == Ending::others_end) ++next;
  const Stretch& stretch = stretches_[next];
  if (stretch.issues > 0)
    parked_.insert({turn_key(ready, tasklet), 0});
  else if (stretch.ending == Ending::barrier)
    arrive(ready);
  else
    last_end_ = std::max(last_end_, ready);
}

// What a tasklet does with the last of its slots: a transfer, or it is ready to wait or to end a gap later.
void DpuClock::act(std::uint32_t tasklet, Int last_slot) {
  const Stretch& stretch = stretches_[next_[tasklet]];
  if (stretch.transfers()) {
    ++next_[tasklet];
    start(tasklet, through_engine(last_slot, stretch));
  } else if (stretch.ending == Ending::barrier) {
    arrive(last_slot + gap_);
  } else {
    last_end_ = std::max(last_end_, last_slot + gap_);
  }
}

// A tasklet that is back before any other. As long as it has left the pipeline, and is back, before others do
// anything, it goes on with its transfers: most tasklets read the many rows of a tile so.
void DpuClock::go_on(std::uint32_t tasklet, Int ready) {
  const Int others = parked_.empty() ? never : parked_.front().ready();
  std::uint32_t& next = next_[tasklet];
  while (true) {
    const Stretch& stretch = stretches_[next];
    const auto last_slot = places_.join(tasklet, ready, stretch.issues, others);
    if (!last_slot) return;
    if (!stretch.transfers()) return act(tasklet, *last_slot);
    ++next;
    ready = through_engine(*last_slot, stretch);
    const Stretch& following = stretches_[next];
    if (!following.transfers() || ready >= others || (!places_.empty() && ready > places_.first_end()))
      return start(tasklet, ready);
  }
}

std::optional<Int> DpuClock::run(Int& budget) {
  // The first tasklet passes by the end of the others.
  const auto shared = static_cast<Int>(shared_), rest = static_cast<Int>(stretches_.size()) - shared;
  budget -= shared * Int{tasklets_} + std::max<Int>(0, rest - 1);
  if (budget < 0) return std::nullopt;
  parked_.clear();
  places_.clear();
  free_ = last_end_ = last_arrival_ = 0;
  refresh_ = system_.dma.refresh.every;
  waiting_ = 0;
  std::fill(next_.begin(), next_.end(), 0);
  for (std::uint32_t i = 0; i < tasklets_; ++i) start(i, Int{i});
  while (!parked_.empty() || !places_.empty()) {
    const Int end = places_.empty() ? never : places_.first_end();
    if (parked_.empty() || parked_.front().ready() > end) {
      const std::uint32_t tasklet = places_.first();
      places_.leave();
      act(tasklet, end);
      continue;
    }
    const Turn turn = parked_.front();
    parked_.pop();
    go_on(turn.index(), turn.ready());
  }
  return last_end_;
}

}  // namespace nestor::cnm
