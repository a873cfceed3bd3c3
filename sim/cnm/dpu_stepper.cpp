#include "sim/cnm/dpu_stepper.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nestor::sim::cnm {
namespace {

using nestor::cnm::Item;
using nestor::cnm::ItemKind;
using nestor::cnm::Program;

// Position of a tasklet in the program tree: an item of a list, and the remaining trips of each enclosing
// loop.
class Cursor {
 public:
  explicit Cursor(const Program& program) { stack_.push_back({&program, 0, 1}); }

  // Returns the next item that takes time, or null at the end of the tasklet. A slots item is returned once
  // per slot.
  const Item* next(bool first_tasklet) {
    while (!stack_.empty()) {
      Frame& frame = stack_.back();
      if (frame.at == frame.list->size()) {
        if (--frame.trips > 0) {
          frame.at = 0;
          continue;
        }
        stack_.pop_back();
        if (!stack_.empty()) ++stack_.back().at;
        continue;
      }
      const Item& item = (*frame.list)[frame.at];
      if (item.kind == ItemKind::loop) {
        if (item.amount == 0)
          ++frame.at;
        else
          stack_.push_back({&item.body, 0, item.amount});
        continue;
      }
      if (item.kind == ItemKind::leave) {
        if (!first_tasklet) return nullptr;
        ++frame.at;
        continue;
      }
      if (item.kind == ItemKind::slots && slot_ == item.amount) {
        slot_ = 0;
        ++frame.at;
        continue;
      }
      return &item;
    }
    return nullptr;
  }
  void take(const Item& item) {
    if (item.kind == ItemKind::slots)
      ++slot_;
    else
      ++stack_.back().at;
  }

 private:
  struct Frame {
    const Program* list;
    std::size_t at;
    Int trips;
  };
  std::vector<Frame> stack_;
  Int slot_ = 0;
};

struct Tasklet {
  Cursor cursor;
  Int ready = 0;
  bool waits = false;
  bool ended = false;
};

class Stepper {
 public:
  Stepper(const nestor::cnm::System& system, const Program& program, Int count, const StepperLimits& limits,
          const std::function<void(const DpuEvent&)>& observe)
      : system_(system), limits_(limits), observe_(observe) {
    const auto ports = static_cast<std::size_t>(ports_of(system.dma, count));
    engine_free_.assign(ports, 0);
    refresh_at_.assign(ports, system.dma.refresh.every);
    for (Int i = 0; i < count; ++i) tasklets_.push_back({Cursor(program), i});
  }

  std::optional<nestor::cnm::DpuRun> run() {
    Int steps = 0;
    for (std::size_t i = least_ready(); i < tasklets_.size(); i = least_ready()) {
      if (++steps > limits_.steps) return std::nullopt;
      Tasklet& tasklet = tasklets_[i];
      const Item* item = tasklet.cursor.next(i == 0);
      if (item == nullptr) {
        tasklet.ended = true;
        end_ = std::max(end_, tasklet.ready);
        release_if_all_wait(tasklet.ready);
        continue;
      }
      tasklet.cursor.take(*item);
      const Int t = std::max(tasklet.ready, now_);
      if (item->kind == ItemKind::barrier) {
        pass(t, 0);
        tasklet.waits = true;
        tasklet.ready = t;
        release_if_all_wait(t);
        continue;
      }
      pass(t, 0);
      ++run_.causes.issue;
      now_ = t + 1;
      tasklet.ready = item->kind == ItemKind::slots ? t + system_.gap : transfer(*item, t);
      if (observe_ && item->kind == ItemKind::slots)
        observe_({static_cast<Int>(i), ItemKind::slots, t, t + 1, 0});
      if (observe_ && item->kind != ItemKind::slots)
        observe_({static_cast<Int>(i), item->kind, t, tasklet.ready, item->amount});
    }
    pass(end_, 0);
    run_.cycles = end_;
    return run_;
  }

 private:
  std::size_t least_ready() const {
    std::size_t best = tasklets_.size();
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      if (tasklets_[i].ended || tasklets_[i].waits) continue;
      if (best == tasklets_.size() || tasklets_[i].ready < tasklets_[best].ready) best = i;
    }
    return best;
  }

  Int transfer(const Item& item, Int t) {
    const auto& time = item.kind == ItemKind::read ? system_.dma.read : system_.dma.write;
    const auto c = static_cast<Int>(
        std::floor(time.setup + time.per_byte * static_cast<double>(item.amount) + nestor::cnm::half_up));
    const auto l = static_cast<Int>(std::floor(time.back + 0.5));
    const Int every = system_.dma.refresh.every, busy = system_.dma.refresh.busy;
    std::size_t port = 0;
    for (std::size_t p = 1; p < engine_free_.size(); ++p)
      if (engine_free_[p] < engine_free_[port]) port = p;
    Int& refresh_at = refresh_at_[port];
    Int s = std::max(t, engine_free_[port]);
    if (every > 0) {
      while (refresh_at + busy <= s) refresh_at += every;
      if (s >= refresh_at) {
        s = refresh_at + busy;
        refresh_at += every;
      }
    }
    Int e = s + c;
    while (every > 0 && e > refresh_at) {
      e += busy;
      refresh_at += every;
    }
    engine_free_[port] = e;
    return std::max(e + l, t + system_.gap);
  }

  // Advances to cycle `to` without issuing a slot. Counts the cause of every cycle unless causes are
  // disabled.
  void pass(Int to, Int barrier_from) {
    const Int every = system_.dma.refresh.every, busy = system_.dma.refresh.busy;
    for (; now_ < to; ++now_) {
      if (!limits_.causes) {
        now_ = to;
        break;
      }
      const bool refresh = every > 0 && now_ >= every && now_ % every < busy;
      if (barrier_from > 0)
        ++run_.causes.barrier;
      else if (refresh || std::any_of(engine_free_.begin(), engine_free_.end(),
                                      [this](Int free) { return now_ < free; }))
        ++run_.causes.dma;
      else
        ++run_.causes.gap;
    }
  }

  void release_if_all_wait(Int t) {
    Int left = 0;
    for (const Tasklet& tasklet : tasklets_) {
      if (tasklet.ended) continue;
      if (!tasklet.waits) return;
      ++left;
    }
    if (left == 0) return;
    const Int release = t + nestor::cnm::barrier_cycles(system_, static_cast<Int>(tasklets_.size()));
    pass(release, 1);
    for (std::size_t i = 0; i < tasklets_.size(); ++i) {
      Tasklet& tasklet = tasklets_[i];
      if (tasklet.ended) continue;
      if (observe_) observe_({static_cast<Int>(i), ItemKind::barrier, tasklet.ready, release, 0});
      tasklet.waits = false;
      tasklet.ready = release;
    }
  }

  const nestor::cnm::System& system_;
  const StepperLimits& limits_;
  const std::function<void(const DpuEvent&)>& observe_;
  std::vector<Tasklet> tasklets_;
  Int now_ = 0;
  std::vector<Int> engine_free_;  ///< time when each port is free
  std::vector<Int> refresh_at_;
  Int end_ = 0;
  nestor::cnm::DpuRun run_;
};

}  // namespace

std::optional<nestor::cnm::DpuRun> step_dpu(const nestor::cnm::System& system,
                                            const nestor::cnm::Program& program, Int tasklets,
                                            const StepperLimits& limits,
                                            const std::function<void(const DpuEvent&)>& observe) {
  return Stepper(system, program, tasklets, limits, observe).run();
}

}  // namespace nestor::sim::cnm
