// Start of a worker. It runs the constructions step by step. If necessary, it finds orders that fit or
// divides the gates among arrays. For a small netlist, it tries many orders.
#include <algorithm>
#include <numeric>

#include "heuristics/simd/nestor_worker.h"
#include "heuristics/simd/order_cuts.h"
#include "heuristics/simd/partition.h"

namespace nestor::simd {
namespace {

/// Limits on minimum cuts, which would otherwise take too long.
constexpr std::uint32_t longest_cut = 40'000;
constexpr std::uint64_t most_cut_work = 150'000'000, least_cut_work = 3'000'000;
constexpr int cut_passes = 12;
/// Work per gate for finding an order that fits on a machine too small for other orders.
constexpr double fitting_work_per_gate = 5000;
/// Work per gate of the search for a good starting order. The search runs only if the plan has at least
/// least_plan times as much work.
constexpr std::uint64_t starting_work_per_gate = 2500, least_plan = 80;

}  // namespace

/// Handles a start in which no order fits; an earlier start may have found a fitting order.
void NestorWorker::give_up_start() {
  if (before_.copies == impossible) {
    stage_ = Stage::end;
    return;
  }
  restarted_ = false;
  best_ = before_;
  begin_copies();
}

bool NestorWorker::start_step() {
  const bool takes_file = index_ % 2 == 0 && !restarted_;
  const bool takes_long = constructions_.take_long() && !restarted_;
  switch (step_) {
    case Step::at_once:
      if (!restarted_ && !constructions_.start_at_once(random_, before_)) return false;
      break;
    case Step::one_array:
      if (takes_long && !constructions_.start_in_one_array(random_, before_)) return false;
      break;
    case Step::quick:
      if (takes_long && !constructions_.start_quickly(random_)) return false;
      break;
    case Step::constructions:
      if (!constructions_.left()) break;
      if (!constructions_.step(random_)) return false;
      if (constructions_.single.copies < best_.copies) best_ = constructions_.single;
      return true;
    case Step::masim:
      if (index_ % 2 == 1 && !restarted_ && !constructions_.derive_by_masim(seed_)) return false;
      break;
    case Step::fit:
      if (best_.copies != impossible || constructions_.many.copies != impossible) break;
      if (!try_partitions() || (best_.copies == impossible && !make_fit())) return false;
      if (best_.copies == impossible) {
        next_step();
        give_up_start();
        return true;
      }
      break;
    case Step::sort:
      if (best_.working.count() == 1) sorted_by_cuts(best_.order, best_.working.physical[0]);
      order_start_ = plan_.order_hot;
      break;
    case Step::file: {
      // The order of the file may come from another scheduler. Every second worker tries it, and uses it if
      // it is better than its own order.
      const Copies own = best_.copies;
      Order file(takes_file ? problem_->gate_count() : 0);
      std::iota(file.begin(), file.end(), 0U);
      if (takes_file && (!constructions_.spread(file) || !try_order(file))) return false;
      sorts_file_ = best_.copies < own;
      break;
    }
    case Step::sort_file:
      if (!sorts_file_ || best_.working.count() != 1) break;
      sorted_by_cuts(best_.order, best_.working.physical[0]);
      order_start_ = plan_.order_warm;
      break;
    case Step::partitions:
      if (problem_->gate_count() <= Constructions::most_annealed && !try_partitions()) return false;
      break;
    case Step::choose:
      choose_start();
      return true;
  }
  next_step();
  return !stopped();
}

void NestorWorker::choose_start() {
  const bool large = problem_->gate_count() > Constructions::most_annealed;
  const Found& many = constructions_.many;
  // If the inputs fill other arrays, improving an order for a single array is useless.
  if (many.copies < best_.copies && (large || constructions_.inputs_apart())) best_ = many;
  if (large || best_.copies == impossible) {
    stage_ = Stage::end;
    return;
  }
  if (best_.working.count() > 1) {
    begin_copies();
    return;
  }
  order_array_ = best_.working.physical[0];
  begin_order_leg(best_.order);
  stage_ = Stage::order;
}

/// Reduces the live values of an order by minimum cuts. Evaluates some intermediate orders and the final
/// order, and returns the final one.
Order NestorWorker::sorted_by_cuts(const Order& order, std::uint32_t array) {
  OrderCuts cuts(*problem_, order, travels_to(array), stop_);
  // Leaves most of a short run to other steps.
  const std::uint64_t least_work = std::min(least_cut_work, plan_.work / 5);
  const std::uint64_t most_work = std::min(most_cut_work, std::max(plan_.work / 40, least_work));
  const auto enough = [&] { return cuts.work() > most_work || stopped(); };
  for (int pass = 0; pass < cut_passes && !enough(); ++pass) {
    cuts.bisect(0, problem_->gate_count(), {8, longest_cut}, random_, enough);
    if (pass % 3 == 2) try_order(cuts.order());
  }
  work_ += cuts.work();
  try_order(cuts.order());
  return cuts.order();
}

/// Handles machines that are too small for all constructed orders: tries the order of the file, and then
/// orders with fewer live values.
bool NestorWorker::make_fit() {
  Order order(problem_->gate_count());
  std::iota(order.begin(), order.end(), 0U);
  if (!try_order(order)) return false;
  if (best_.copies != impossible || candidate_arrays(*problem_).empty()) return true;
  const std::uint32_t array = candidate_arrays(*problem_).back();
  order = depth_first_order(*problem_, RootRule::given, FaninRule::widest, random_, stop_);
  if (order.size() < problem_->gate_count()) return false;
  order = sorted_by_cuts(order, array);
  if (best_.copies != impossible || problem_->gate_count() > Constructions::most_annealed) return !stopped();
  const bool travels = travels_to(array);
  const AlivePrice price{static_cast<std::int32_t>(problem_->free_rows(array)) - 2, 0.1, 1.0};
  OrderAnnealer annealer(*problem_, order, price, travels);
  const double most_work = problem_->gate_count() * fitting_work_per_gate;
  while (static_cast<double>(annealer.work()) < most_work && !stopped())
    annealer.run(500,
                 cooled(plan_.order_hot, plan_.order_cold, static_cast<double>(annealer.work()) / most_work),
                 random_);
  work_ += annealer.work();
  sorted_by_cuts(annealer.order(), array);
  return !stopped();
}

/// Tries starts with the gates divided among several initially empty arrays, if the inputs fill more than one
/// array.
bool NestorWorker::try_partitions() {
  if (!constructions_.inputs_apart()) return true;
  const Order order = best_.copies == impossible
                          ? depth_first_order(*problem_, RootRule::given, FaninRule::widest, random_, stop_)
                          : best_.order;
  if (order.size() < problem_->gate_count()) return false;
  const std::uint32_t homes = problem_->home_arrays();
  for (std::uint32_t parts = 2; parts <= 4; ++parts) {
    if (problem_->array_limit() != 0 && homes + parts > problem_->array_limit()) break;
    WorkingArrays working;
    for (std::uint32_t part = 0; part < parts; ++part) working.physical.push_back(homes + part);
    const auto arrays = partition_gates(*problem_, static_cast<std::uint8_t>(parts), random_, stop_);
    if (arrays.size() < order.size()) return false;
    Sequence sequence(*problem_, order);
    sequence.assign(order, arrays);
    Evaluator evaluator(*problem_, working, false);
    const Copies copies = evaluator.evaluate(sequence, stop_);
    work_ += evaluator.work();
    if (copies < best_.copies) best_ = {copies, working, order, arrays, evaluator.transfers(), nullptr};
  }
  return !stopped();
}

/// True if the search for a starting order takes only a small part of the plan.
bool NestorWorker::is_small() const {
  return problem_->gate_count() * starting_work_per_gate * least_plan <= plan_.work;
}

/// Tries many orders of a small netlist. The result of annealing depends on the starting order, because
/// annealing at any temperature cannot change the overall structure of an order. Fewer copies at the start
/// lead to fewer copies at the end.
bool NestorWorker::try_many_orders() {
  const std::uint64_t before = work_;
  const auto try_it = [&](const Order& order) {
    if (constructions_.inputs_apart()) constructions_.spread(order);
    try_order(order);
  };
  while (!stopped() && work_ < before + round_work && !tried_many_orders()) {
    for (const FaninRule rule : {FaninRule::widest, FaninRule::deepest, FaninRule::random}) {
      try_it(depth_first_order(*problem_, RootRule::random, rule, random_));
      try_it(closing_order(*problem_, RootRule::random, rule, random_));
    }
    try_it(greedy_order(*problem_, random_));
    work_ += constructions_.take_work();
  }
  return !stopped();
}

bool NestorWorker::tried_many_orders() const {
  return work_ >= start_began_at_ + problem_->gate_count() * starting_work_per_gate ||
         candidate_arrays(*problem_).empty();
}

/// Begins a new start. Every second worker does so when its cycles gain nothing, because the starting order
/// limits the result (see try_many_orders()).
void NestorWorker::start_over() {
  before_ = best();
  best_ = {};
  restarted_ = true;
  ++starts_;
  start_began_at_ = work_;
  cycles_without_gain_ = 0;
  order_leg_ = 0;
  annealer_.reset();
  constructions_.start_over();
  step_ = Step::at_once;
  stage_ = Stage::start;
}

}  // namespace nestor::simd
