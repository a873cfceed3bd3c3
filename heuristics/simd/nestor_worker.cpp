#include "heuristics/simd/nestor_worker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heuristics/simd/order_cuts.h"
#include "heuristics/simd/partition.h"

namespace nestor::simd {

namespace {

/// Moves between two looks at the limits.
constexpr std::uint64_t round_work = 400'000;

/// Netlists with more gates are not annealed: their start takes all the time there is.
constexpr std::uint32_t most_annealed = 400'000;
/// Minimum cuts of longer stretches take too long, and so do more of them than this much work.
constexpr std::uint32_t longest_cut = 40'000;
constexpr std::uint64_t most_cut_work = 150'000'000, least_cut_work = 3'000'000;
constexpr int cut_passes = 12;
/// Work per gate to make an order fit a machine that is too small for others.
constexpr double fitting_work_per_gate = 5000;
/// Times that an order is annealed and then cut.
constexpr int order_legs = 7;
/// Work per gate to look for a good order to start from, if the plan has so many times that.
constexpr std::uint64_t starting_work_per_gate = 2500;
constexpr std::uint64_t least_plan = 80;
/// Cycles without gain after which a worker starts afresh, and the part of the plan after which the first
/// cycle to end takes it back to the best of all starts.
constexpr int most_vain_cycles = 2;
constexpr std::uint64_t starts_in_a_plan = 10;

bool home(const Problem& problem, std::uint32_t array) { return array < problem.home_arrays(); }

/// Arrays worth computing in: those that hold inputs and have a row left, and one that begins empty. A
/// netlist without gates needs no row.
std::vector<std::uint32_t> candidate_arrays(const Problem& problem) {
  std::vector<std::uint32_t> result;
  const std::uint32_t homes = problem.home_arrays();
  const std::uint32_t limit = problem.array_limit() == 0 ? homes + 1 : problem.array_limit();
  for (std::uint32_t array = 0; array < std::min(homes + 1, limit); ++array)
    if ((problem.free_rows(array) > 0 || problem.gate_count() == 0) &&
        (!home(problem, array) || array == 0 || array + 1 == homes))
      result.push_back(array);
  return result;
}

/// `working` and further arrays to compute in, up to `count` of them.
WorkingArrays widened(const Problem& problem, WorkingArrays working, std::uint8_t count) {
  std::vector<std::uint32_t> others = candidate_arrays(problem);
  for (std::uint32_t array = problem.home_arrays();
       array < problem.home_arrays() + count && (problem.array_limit() == 0 || array < problem.array_limit());
       ++array)
    others.push_back(array);
  for (const std::uint32_t array : others)
    if (working.count() < count &&
        std::find(working.physical.begin(), working.physical.end(), array) == working.physical.end())
      working.physical.push_back(array);
  return working;
}

double geometric(double from, double to, double fraction) { return from * std::pow(to / from, fraction); }

}  // namespace

NestorWorker::NestorWorker(const Problem& problem, std::uint32_t index, std::uint64_t seed,
                           const NestorPlan& plan)
    : problem_(&problem), index_(index), random_(seed + index * 0x9e3779b9ULL), plan_(plan) {}

void NestorWorker::round() {
  switch (stage_) {
    case Stage::start:
      if (is_small() && !tried_many_orders())
        try_many_orders();
      else
        start();
      break;
    case Stage::order:
      order_round();
      break;
    case Stage::copies:
      copies_round();
      break;
    case Stage::end:
      break;
  }
}

/// No order fits. Another start may have found one.
void NestorWorker::give_up_start() {
  if (before_.copies == impossible) {
    stage_ = Stage::end;
    return;
  }
  afresh_ = false;
  best_ = before_;
  begin_copies();
}

/// Counts an order in every candidate array and remembers the best.
void NestorWorker::try_order(const Order& order) {
  const Sequence sequence(*problem_, order);
  for (const std::uint32_t array : candidate_arrays(*problem_)) {
    Evaluator evaluator(*problem_, single(array), false);
    const Copies copies = evaluator.evaluate(sequence);
    work_ += evaluator.work();
    if (copies >= best_.copies) continue;
    best_ = {copies, single(array), order, sequence.arrays(), evaluator.transfers()};
  }
}

void NestorWorker::start() {
  // Workers share the constructive orders of a netlist that leaves no time to try them all.
  const bool large = problem_->gate_count() > most_annealed;
  const bool first_half = !large || index_ % 2 == 0, second_half = !large || index_ % 2 == 1;
  if (first_half) {
    try_order(depth_first_order(*problem_, RootRule::given, FaninRule::widest, random_));
    try_order(depth_first_order(*problem_, RootRule::given, FaninRule::deepest, random_));
  }
  if (second_half) {
    try_order(depth_first_order(*problem_, RootRule::smallest_cone, FaninRule::widest, random_));
    try_order(greedy_order(*problem_, random_));
  }
  if (best_.copies == impossible) {
    try_partitions();
    if (best_.copies == impossible) make_fit();
    if (best_.copies == impossible) {
      give_up_start();
      return;
    }
  }
  if (best_.working.count() == 1) sorted_by_cuts(best_.order, best_.working.physical[0]);
  order_start_ = plan_.order_hot;
  // The order of the file may be somebody's schedule. One worker takes it if it is better than our own.
  if (index_ % 2 == 0 && !afresh_) {
    const Copies own = best_.copies;
    Order file(problem_->gate_count());
    std::iota(file.begin(), file.end(), 0U);
    try_order(file);
    if (best_.copies < own) {
      sorted_by_cuts(best_.order, best_.working.physical[0]);
      order_start_ = plan_.order_warm;
    }
  }
  if (large) {
    stage_ = Stage::end;
    return;
  }
  try_partitions();
  if (best_.working.count() > 1) {
    begin_copies();
    return;
  }
  order_array_ = best_.working.physical[0];
  begin_order_leg(best_.order);
  stage_ = Stage::order;
}

/// A stretch of annealing an order: hot at first, then from warm, each ended by minimum cuts. Either finds
/// what the other cannot: annealing moves few gates but may climb, cuts move thousands and only improve.
void NestorWorker::begin_order_leg(const Order& order) {
  const AlivePrice price{static_cast<std::int32_t>(problem_->free_rows(order_array_)) - 2, 0.1, 1.0};
  order_annealer_ = std::make_unique<OrderAnnealer>(*problem_, order, price, !home(*problem_, order_array_));
  const double share = order_leg_ == 0 ? 0.4 : 0.6 / (order_legs - 1);
  const double budget = std::min(static_cast<double>(plan_.work) * plan_.order_share,
                                 problem_->gate_count() * plan_.order_work_per_gate);
  cycle_length_ = static_cast<std::uint64_t>(budget * share);
}

/// Makes an order hold fewer values by minimum cuts, counts it on the way and returns the last one.
Order NestorWorker::sorted_by_cuts(const Order& order, std::uint32_t array) {
  OrderCuts cuts(*problem_, order, !home(*problem_, array));
  const std::uint64_t most_work = std::min(most_cut_work, std::max(plan_.work / 40, least_cut_work));
  const auto enough = [&] { return cuts.work() > most_work; };
  for (int pass = 0; pass < cut_passes && !enough(); ++pass) {
    cuts.bisect(0, problem_->gate_count(), {8, longest_cut}, random_, enough);
    if (pass % 3 == 2) try_order(cuts.order());
  }
  work_ += cuts.work();
  try_order(cuts.order());
  return cuts.order();
}

/// For machines too small for any constructive order: the file's, then orders made to hold fewer values.
void NestorWorker::make_fit() {
  Order order(problem_->gate_count());
  std::iota(order.begin(), order.end(), 0U);
  try_order(order);
  if (best_.copies != impossible || candidate_arrays(*problem_).empty()) return;
  const std::uint32_t array = candidate_arrays(*problem_).back();
  order = sorted_by_cuts(depth_first_order(*problem_, RootRule::given, FaninRule::widest, random_), array);
  if (best_.copies != impossible || problem_->gate_count() > most_annealed) return;
  const bool travels = !home(*problem_, array);
  const AlivePrice price{static_cast<std::int32_t>(problem_->free_rows(array)) - 2, 0.1, 1.0};
  OrderAnnealer annealer(*problem_, order, price, travels);
  const double most_work = problem_->gate_count() * fitting_work_per_gate;
  while (static_cast<double>(annealer.work()) < most_work)
    annealer.run(
        500, geometric(plan_.order_hot, plan_.order_cold, static_cast<double>(annealer.work()) / most_work),
        random_);
  work_ += annealer.work();
  sorted_by_cuts(annealer.order(), array);
}

/// Starts with the gates divided among several arrays that begin empty, for inputs that overflow one.
void NestorWorker::try_partitions() {
  if (problem_->input_count() <= problem_->rows() * 9 / 10) return;
  const Order order = best_.copies == impossible
                          ? depth_first_order(*problem_, RootRule::given, FaninRule::widest, random_)
                          : best_.order;
  const std::uint32_t homes = problem_->home_arrays();
  for (std::uint32_t parts = 2; parts <= 4; ++parts) {
    if (problem_->array_limit() != 0 && homes + parts > problem_->array_limit()) break;
    WorkingArrays working;
    for (std::uint32_t part = 0; part < parts; ++part) working.physical.push_back(homes + part);
    const auto arrays = partition_gates(*problem_, static_cast<std::uint8_t>(parts), random_);
    Sequence sequence(*problem_, order);
    sequence.assign(order, arrays);
    Evaluator evaluator(*problem_, working, false);
    const Copies copies = evaluator.evaluate(sequence);
    work_ += evaluator.work();
    if (copies < best_.copies) best_ = {copies, working, order, arrays, evaluator.transfers()};
  }
}

void NestorWorker::order_round() {
  const std::uint64_t before = order_annealer_->work();
  while (order_annealer_->work() < before + round_work) {
    const double fraction =
        static_cast<double>(order_annealer_->work()) / static_cast<double>(cycle_length_ + 1);
    if (fraction >= 1.0) break;
    const double hot = order_leg_ == 0 ? order_start_ : plan_.order_warm;
    order_annealer_->run(500, geometric(hot, plan_.order_cold, fraction), random_);
  }
  work_ += order_annealer_->work() - before;
  try_order(order_annealer_->order());
  if (order_annealer_->work() < cycle_length_) return;
  const Order sorted = sorted_by_cuts(order_annealer_->order(), order_array_);
  if (++order_leg_ < order_legs) {
    begin_order_leg(sorted);
  } else {
    begin_copies();
  }
}

void NestorWorker::begin_copies() {
  order_annealer_.reset();
  // Short cycles first, so that a slow machine has finished some when its time is over.
  cycle_length_ = std::max<std::uint64_t>(plan_.work / 30, 4 * round_work);
  hot_ = first_hot();
  stage_ = Stage::copies;
  begin_cycle();
}

/// Anneals the best schedule with arrays to spare: computing in the array where values were left costs one
/// copy where saving and bringing back costs two.
void NestorWorker::begin_cycle() {
  const auto arrays = static_cast<std::uint8_t>(2 + index_ % 2);
  const auto anneal_in = [&](WorkingArrays working) {
    annealer_ = std::make_unique<Annealer>(*problem_, std::move(working), best_.order, best_.arrays);
    return annealer_->current() != impossible;
  };
  // Arrays to spare leave the pool smaller, and what trials found may not be found by a fresh evaluation. An
  // annealer without a schedule would never get anywhere.
  if (!anneal_in(widened(*problem_, best_.working, arrays)) && !anneal_in(best_.working)) {
    give_up_cycles();
    return;
  }
  cycle_done_ = 0;
  cycle_began_at_ = best_.copies;
  // The last cycle within the plan takes what is left of it.
  if (work_ < plan_.work && plan_.work - work_ < cycle_length_ * 8 / 5)
    cycle_length_ = std::max(plan_.work - work_, 4 * round_work);
}

/// The schedule stands as it is. Other orders of a small netlist may be better.
void NestorWorker::give_up_cycles() {
  annealer_.reset();
  if (is_small() && work_ < plan_.work)
    start_afresh();
  else
    stage_ = Stage::end;
}

/// Large netlists get few moves a gate and cannot recover from much disorder.
double NestorWorker::first_hot() const {
  return std::max(plan_.hot * std::min(1.0, std::sqrt(1000.0 / (problem_->gate_count() + 1.0))),
                  2.0 * plan_.cold);
}

void NestorWorker::copies_round() {
  const std::uint64_t before = annealer_->work();
  while (annealer_->work() < before + round_work) {
    const double fraction =
        static_cast<double>(cycle_done_ + annealer_->work() - before) / static_cast<double>(cycle_length_);
    if (fraction >= 1.0) break;
    annealer_->run(200, geometric(hot_, plan_.cold, fraction), random_);
  }
  const std::uint64_t done = annealer_->work() - before;
  work_ += done;
  cycle_done_ += done;
  if (annealer_->best().copies < best_.copies) best_ = annealer_->best();
  if (cycle_done_ < cycle_length_) return;
  end_cycle();
}

void NestorWorker::end_cycle() {
  const bool gained = best_.copies < cycle_began_at_;
  vain_cycles_ = gained ? 0 : vain_cycles_ + 1;
  if (afresh_ && work_ >= start_began_at_ + plan_.work / starts_in_a_plan) {
    // Back to the best of all starts.
    afresh_ = false;
    vain_cycles_ = 0;
    if (before_.copies < best_.copies) best_ = before_;
  } else if (!afresh_ && vain_cycles_ >= most_vain_cycles && index_ % 2 == 1 && is_small() &&
             work_ < plan_.work) {
    start_afresh();
    return;
  }
  // A cycle that gained nothing was too hot to keep what it began with, or too short: both are mended.
  hot_ = std::min(hot_ * (gained ? 1.2 : 0.6), plan_.hot);
  if (hot_ < 1.5 * plan_.cold) hot_ = first_hot();
  cycle_length_ += cycle_length_ / 2;
  begin_cycle();
}

/// Whether starts take a small part of what is planned.
bool NestorWorker::is_small() const {
  return problem_->gate_count() * starting_work_per_gate * least_plan <= plan_.work;
}

/// What annealing makes of a small netlist's order depends on where it starts: no temperature brings it from
/// one way of doing things to another. Fewer copies at the start are fewer at the end.
void NestorWorker::try_many_orders() {
  const std::uint64_t before = work_;
  while (work_ < before + round_work && !tried_many_orders()) {
    for (const FaninRule rule : {FaninRule::widest, FaninRule::deepest, FaninRule::random})
      try_order(depth_first_order(*problem_, RootRule::random, rule, random_));
    try_order(greedy_order(*problem_, random_));
  }
}

bool NestorWorker::tried_many_orders() const {
  return work_ >= start_began_at_ + problem_->gate_count() * starting_work_per_gate ||
         candidate_arrays(*problem_).empty();
}

/// For the same reason every other worker that has settled starts again.
void NestorWorker::start_afresh() {
  before_ = best();
  best_ = {};
  afresh_ = true;
  ++starts_;
  start_began_at_ = work_;
  vain_cycles_ = 0;
  order_leg_ = 0;
  annealer_.reset();
  stage_ = Stage::start;
}

void NestorWorker::offer(const Found& found) {
  if (vain_cycles_ == 0 || annealer_ == nullptr || found.copies >= best_.copies) return;
  best_ = found;
  begin_cycle();
}

}  // namespace nestor::simd
