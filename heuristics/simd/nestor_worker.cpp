#include "heuristics/simd/nestor_worker.h"

#include <algorithm>
#include <cmath>

namespace nestor::simd {
namespace {

/// Number of legs; in each leg, an order is annealed and then sorted by minimum cuts.
constexpr int order_legs = 7;
/// Number of cycles without gain after which a worker starts afresh. Once a new start has used
/// 1/starts_in_a_plan of the plan, the worker returns to the best of all starts at the end of a cycle.
constexpr int most_cycles_without_gain = 2;
constexpr std::uint64_t starts_in_a_plan = 10;

}  // namespace

NestorWorker::NestorWorker(const ScheduleProblem& problem, std::uint32_t index, std::uint64_t seed,
                           const NestorPlan& plan, const Netlist* netlist, Stop stop)
    : problem_(&problem),
      index_(index),
      seed_(seed),
      random_(seed + index * 0x9e3779b9ULL),
      plan_(plan),
      stop_(std::move(stop)),
      constructions_(problem, netlist, index, stop_, plan.work) {}

bool NestorWorker::round() {
  if (stopped()) return false;
  if (stage_ == Stage::copies) return copies_round();
  const Found best = best_, many = constructions_.many, elsewhere = constructions_.elsewhere;
  bool whole = true;
  switch (stage_) {
    case Stage::start:
      whole = is_small() && !tried_many_orders() ? try_many_orders() : start_step();
      work_ += constructions_.take_work();
      break;
    case Stage::order:
      whole = order_round();
      break;
    case Stage::sort:
      whole = sort_round();
      break;
    default:
      break;
  }
  if (whole) return true;
  best_ = best;
  constructions_.many = many;
  constructions_.elsewhere = elsewhere;
  return false;
}

/// Starts a leg of annealing an order, hot in the first leg and warm later. Each leg ends with minimum cuts.
/// The two methods complement each other: annealing moves few gates but may accept worse orders; cuts move
/// thousands of gates but only improve an order.
void NestorWorker::begin_order_leg(const Order& order) {
  const AlivePrice price{static_cast<std::int32_t>(problem_->free_rows(order_array_)) - 2, 0.1, 1.0};
  order_annealer_ = std::make_unique<OrderAnnealer>(*problem_, order, price, travels_to(order_array_));
  const double share = order_leg_ == 0 ? 0.4 : 0.6 / (order_legs - 1);
  const double budget = std::min(static_cast<double>(plan_.work) * plan_.order_share,
                                 problem_->gate_count() * plan_.order_work_per_gate);
  cycle_length_ = static_cast<std::uint64_t>(budget * share);
}

bool NestorWorker::order_round() {
  const std::uint64_t before = order_annealer_->work();
  const double hot = order_leg_ == 0 ? order_start_ : plan_.order_warm;
  while (order_annealer_->work() < before + round_work) {
    const double fraction =
        static_cast<double>(order_annealer_->work()) / static_cast<double>(cycle_length_ + 1);
    if (fraction >= 1.0) break;
    order_annealer_->run(500, cooled(hot, plan_.order_cold, fraction), random_);
  }
  work_ += order_annealer_->work() - before;
  if (!try_order(order_annealer_->order())) return false;
  work_ += constructions_.take_work();
  if (order_annealer_->work() >= cycle_length_) stage_ = Stage::sort;
  return !stopped();
}

bool NestorWorker::sort_round() {
  const Order sorted = sorted_by_cuts(order_annealer_->order(), order_array_);
  work_ += constructions_.take_work();
  if (stopped()) return false;
  stage_ = Stage::order;
  if (++order_leg_ < order_legs) {
    begin_order_leg(sorted);
    return true;
  }
  return begin_copies();
}

/// Continues with the better of two results: the best in one array and the best in many arrays. An order
/// improved for one array may also be good for many arrays.
bool NestorWorker::begin_copies() {
  if (best_.working.count() == 1 && !constructions_.spread(best_.order)) return false;
  work_ += constructions_.take_work();
  if (constructions_.many.copies < best_.copies) best_ = constructions_.many;
  order_annealer_.reset();
  // The first cycles are short, so that a slow machine completes some of them within its time limit.
  cycle_length_ = std::max<std::uint64_t>(plan_.work / 30, 4 * round_work);
  hot_ = first_hot();
  stage_ = Stage::copies;
  begin_cycle();
  return true;
}

/// Anneals the best schedule with spare arrays: computing in the array where a value was left costs one copy,
/// whereas saving the value and copying it back costs two.
void NestorWorker::begin_cycle() {
  const auto arrays = static_cast<std::uint8_t>(2 + index_ % 2);
  const auto anneal_in = [&](WorkingArrays working) {
    annealer_ = std::make_unique<Annealer>(*problem_, std::move(working), best_.order, best_.arrays);
    return annealer_->current() != impossible;
  };
  // Spare arrays reduce the pool of arrays for saved values, and a fresh evaluation may fail where trials
  // succeeded. An annealer without a schedule would make no progress.
  if (!anneal_in(widened(*problem_, best_.working, arrays)) && !anneal_in(best_.working)) {
    give_up_cycles();
    return;
  }
  cycle_done_ = 0;
  cycle_began_at_ = best_.copies;
  // The last cycle within the plan uses all remaining work.
  if (work_ < plan_.work && plan_.work - work_ < cycle_length_ * 8 / 5)
    cycle_length_ = std::max(plan_.work - work_, 4 * round_work);
}

/// Ends the annealing of this schedule. For a small netlist, other orders may be better.
void NestorWorker::give_up_cycles() {
  annealer_.reset();
  if (is_small() && work_ < plan_.work)
    start_over();
  else
    stage_ = Stage::end;
}

/// Returns the initial temperature of cycles. It is lower for large netlists, which get few moves per gate
/// and cannot recover from much disorder.
double NestorWorker::first_hot() const {
  return std::max(plan_.hot * std::min(1.0, std::sqrt(1000.0 / (problem_->gate_count() + 1.0))),
                  2.0 * plan_.cold);
}

bool NestorWorker::copies_round() {
  const std::uint64_t before = annealer_->work();
  while (annealer_->work() < before + round_work) {
    const double fraction =
        static_cast<double>(cycle_done_ + annealer_->work() - before) / static_cast<double>(cycle_length_);
    if (fraction >= 1.0) break;
    annealer_->run(200, cooled(hot_, plan_.cold, fraction), random_);
  }
  const std::uint64_t done = annealer_->work() - before;
  work_ += done;
  cycle_done_ += done;
  if (annealer_->best().copies < best_.copies) best_ = annealer_->best();
  if (cycle_done_ >= cycle_length_) end_cycle();
  return true;
}

void NestorWorker::end_cycle() {
  const bool gained = best_.copies < cycle_began_at_;
  cycles_without_gain_ = gained ? 0 : cycles_without_gain_ + 1;
  if (restarted_ && work_ >= start_began_at_ + plan_.work / starts_in_a_plan) {
    // Returns to the best of all starts.
    restarted_ = false;
    cycles_without_gain_ = 0;
    if (before_.copies < best_.copies) best_ = before_;
  } else if (!restarted_ && cycles_without_gain_ >= most_cycles_without_gain && index_ % 2 == 1 &&
             is_small() && work_ < plan_.work) {
    start_over();
    return;
  }
  // A cycle without gain was too short, or so hot that it lost its starting schedule. The next cycle is
  // cooler and longer.
  hot_ = std::min(hot_ * (gained ? 1.2 : 0.6), plan_.hot);
  if (hot_ < 1.5 * plan_.cold) hot_ = first_hot();
  cycle_length_ += cycle_length_ / 2;
  begin_cycle();
}

void NestorWorker::offer(const Found& found) {
  if (cycles_without_gain_ == 0 || annealer_ == nullptr || found.copies >= best_.copies) return;
  best_ = found;
  begin_cycle();
}

}  // namespace nestor::simd
