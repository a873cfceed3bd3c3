#include "heuristics/simd/constructions.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "heuristics/priority/priority.h"
#include "heuristics/simd/baseline_orders.h"
#include "heuristics/simd/greedy_machine.h"
#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/spread_machine.h"

namespace nestor::simd {

namespace {

constexpr std::uint32_t constructions = 11, first_of_others = 8, simpler_step = 9;
constexpr std::uint32_t least_for_others = 5'000;
/// Largest number of gates for which MASIM's machine builds a starting point; larger netlists take too long.
constexpr std::uint32_t most_for_masim = 200'000;
/// Orders of the schedulers with which MASIM is compared may take time quadratic in the number of gates. The
/// constants are the limit on polls of the stop rule per order, the work charged per poll, and the number of
/// such orders that fit in the plan.
constexpr std::uint64_t most_patience = 400, work_of_a_question = 2000, orders_in_a_plan = 20;
/// Limits on the number of gates. Above the first, all constructions together take a large part of a second;
/// above the second, any single construction does.
constexpr std::uint32_t most_at_once = 15'000, most_in_no_time = 40'000;
/// Average number of arrays that SIMPLER's machine may examine per gate if a schedule is needed quickly.
constexpr std::uint64_t most_arrays_at_once = 16;
/// Work of examining one array for a gate in MASIM's machine, in positions of the evaluator.
constexpr std::uint64_t work_of_masim = 8;
/// Number of initially empty arrays when an order is spread again because it used more arrays than the
/// evaluator supports.
constexpr std::uint32_t fewer_arrays = 12;

}  // namespace

std::vector<std::uint32_t> candidate_arrays(const ScheduleProblem& problem) {
  std::vector<std::uint32_t> result;
  const std::uint32_t homes = problem.home_arrays();
  const std::uint32_t limit = problem.array_limit() == 0 ? homes + 1 : problem.array_limit();
  for (std::uint32_t array = 0; array < std::min(homes + 1, limit); ++array)
    if ((problem.free_rows(array) > 0 || problem.gate_count() == 0) &&
        (array >= homes || array == 0 || array + 1 == homes))
      result.push_back(array);
  return result;
}

WorkingArrays widened(const ScheduleProblem& problem, WorkingArrays working, std::uint8_t count) {
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

Constructions::Constructions(const ScheduleProblem& problem, const Netlist* netlist, std::uint32_t index,
                             const Stop& stop, std::uint64_t planned_work)
    : problem_(&problem),
      netlist_(netlist),
      index_(index),
      stop_(&stop),
      patience_(std::min(most_patience, planned_work / (orders_in_a_plan * work_of_a_question))) {}

bool Constructions::inputs_apart() const { return problem_->input_count() > problem_->rows() * 9 / 10; }

bool Constructions::take_long() const { return problem_->gate_count() > most_at_once; }

bool Constructions::is_first() const { return index_ % 2 == 0; }

bool Constructions::start_at_once(Random& random, Found& found) {
  if (!is_first()) return true;
  if (problem_->gate_count() > most_in_no_time) {
    if (!schedule_by_simpler(random)) return false;
    return elsewhere.copies != impossible || start_in_one_array(random, found);
  }
  if (take_long()) return true;
  Order order(problem_->gate_count());
  std::iota(order.begin(), order.end(), 0U);
  return count(order, found);
}

bool Constructions::start_in_one_array(Random& random, Found& found) {
  if (!is_first() || !quick_.empty()) return true;
  Order order = closing_order(*problem_, RootRule::given, FaninRule::widest, random, *stop_);
  if (order.size() < problem_->gate_count()) return false;
  const std::vector<std::uint32_t> arrays = candidate_arrays(*problem_);
  if (!arrays.empty() && !count_in(arrays.back(), Sequence(*problem_, order), order, found)) return false;
  quick_ = std::move(order);
  return true;
}

bool Constructions::start_quickly(Random& random) {
  quick_step_ = is_first() ? 0 : simpler_step;
  if (!is_first()) quick_ = simpler_order(*problem_, true, random, *stop_);
  return quick_.size() == problem_->gate_count() && spread(quick_);
}

/// Builds SIMPLER's schedule. Gives up if the machine examines so many arrays per gate that evaluating an
/// order in one array is faster.
bool Constructions::schedule_by_simpler(Random& random) {
  if (netlist_ == nullptr) return true;
  const Order order = simpler_order(*problem_, true, random, *stop_);
  if (order.size() < problem_->gate_count()) return false;
  std::vector<GreedyMachine::Choice> current(order.size()), best(order.size()), fixed(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) fixed[i] = {order[i], 0};
  GreedyMachine machine(*problem_);
  const std::uint64_t most_work = most_arrays_at_once * problem_->gate_count();
  priority::PrioritySearch<GreedyMachine> search(machine, current, best, 1);
  search.derive(fixed, [&] { return machine.work() > most_work || should_stop(*stop_); });
  work_ += machine.work();
  if (!search.found()) return !should_stop(*stop_);
  Schedule schedule = machine.record(*netlist_, search.best(), *stop_);
  if (schedule.instructions.empty()) return false;
  elsewhere.copies = search.best_cost();
  elsewhere.schedule = std::make_shared<Schedule>(std::move(schedule));
  return true;
}

bool Constructions::left() const {
  // Small netlists whose inputs leave enough rows to compute start from many other orders instead.
  const bool tries_others = problem_->gate_count() > least_for_others || inputs_apart();
  return step_ < (tries_others ? constructions : first_of_others);
}

void Constructions::start_over() {
  step_ = 0;
  again_ = true;
  single = many = {};
}

Order Constructions::next_order(Random& random, const Stop& stop) {
  const ScheduleProblem& problem = *problem_;
  switch (step_) {
    case 0:
      return closing_order(problem, RootRule::given, FaninRule::widest, random, stop);
    case 1:
      return closing_order(problem, RootRule::smallest_cone, FaninRule::widest, random, stop);
    case 2:
      return closing_order(problem, RootRule::given, FaninRule::deepest, random, stop);
    case 3:
      return depth_first_order(problem, RootRule::smallest_cone, FaninRule::widest, random, stop);
    case 4:
      return depth_first_order(problem, RootRule::given, FaninRule::widest, random, stop);
    case 5:
      return greedy_order(problem, random, false, stop);
    case 6:
      return depth_first_order(problem, RootRule::given, FaninRule::deepest, random, stop);
    case 7:
      return greedy_order(problem, random, true, stop);
    // These orders were designed for other machines, but may give better schedules on this machine.
    case 8:
      return star_order(problem, !again_, random, stop);
    case simpler_step:
      return simpler_order(problem, !again_, random, stop);
    default:
      return gppic_order(problem, !again_, random, stop);
  }
}

bool Constructions::step(Random& random) {
  const bool large = problem_->gate_count() > most_annealed;
  if (!quick_.empty() && step_ == quick_step_) {  // this order was already spread
    if (!count(std::exchange(quick_, {}), single)) return false;
  } else if (!large || step_ % 2 == index_ % 2) {
    std::uint64_t asked = 0;
    const Order order = next_order(random, [&] {
      ++asked;
      return should_stop(*stop_) || (step_ >= first_of_others && asked > patience_);
    });
    if (should_stop(*stop_)) return false;
    if (step_ >= first_of_others) work_ += asked * work_of_a_question;
    if (order.size() == problem_->gate_count() && (!spread(order) || !count(order, single))) return false;
    work_ += order.size();
  }
  ++step_;
  return true;
}

bool Constructions::count(const Order& order, Found& best) {
  const std::vector<std::uint32_t> arrays = candidate_arrays(*problem_);
  const Sequence sequence(*problem_, order);
  return std::all_of(arrays.begin(), arrays.end(),
                     [&](std::uint32_t array) { return count_in(array, sequence, order, best); });
}

bool Constructions::count_in(std::uint32_t array, const Sequence& sequence, const Order& order, Found& best) {
  Evaluator evaluator(*problem_, {{array}}, false);
  const Copies copies = evaluator.evaluate(sequence, *stop_);
  if (copies == impossible && should_stop(*stop_)) return false;
  work_ += evaluator.work();
  if (copies < best.copies)
    best = {copies, {{array}}, order, sequence.arrays(), evaluator.transfers(), nullptr};
  return true;
}

bool Constructions::spread(const Order& order) {
  const std::uint32_t rest = problem_->home_arrays() + fewer_arrays;
  for (const std::uint32_t limit : {0U, rest}) {
    if (problem_->array_limit() != 0 && limit >= problem_->array_limit()) break;
    SpreadMachine machine(*problem_, limit);
    const bool placed = machine.place(order, impossible, *stop_);
    if (!placed && should_stop(*stop_)) return false;
    work_ += machine.work();
    if (!placed) return true;
    std::vector<std::uint32_t> array_of_gate(order.size());
    for (const auto& choice : machine.choices()) array_of_gate[choice.gate] = choice.array;
    // Recording takes most of the time, so a schedule is recorded only if it has fewer copies than all other
    // results.
    if (netlist_ != nullptr && machine.copies() < std::min({elsewhere.copies, many.copies, single.copies})) {
      elsewhere = {};
      elsewhere.copies = machine.copies();
      elsewhere.schedule = std::make_shared<Schedule>(machine.record(*netlist_));
    }
    if (import(order, array_of_gate)) break;
    if (should_stop(*stop_)) return false;
  }
  return true;
}

/// Evaluates the order with the given arrays, but with the evaluator's choice of evicted values. Returns
/// false if there are more arrays than the evaluator supports.
bool Constructions::import(const Order& order, std::span<const std::uint32_t> array_of_gate) {
  WorkingArrays working;
  std::vector<std::uint8_t> arrays(array_of_gate.size());
  for (const std::uint32_t gate : order) {
    const auto at = std::find(working.physical.begin(), working.physical.end(), array_of_gate[gate]);
    if (at == working.physical.end() && working.count() == max_working_arrays) return false;
    arrays[gate] = static_cast<std::uint8_t>(at - working.physical.begin());
    if (at == working.physical.end()) working.physical.push_back(array_of_gate[gate]);
  }
  Sequence sequence(*problem_, order);
  sequence.assign(order, arrays);
  Evaluator evaluator(*problem_, working, false);
  const Copies copies = evaluator.evaluate(sequence, *stop_);
  work_ += evaluator.work();
  if (copies < many.copies)
    many = {copies, std::move(working), order, std::move(arrays), evaluator.transfers(), nullptr};
  return true;
}

bool Constructions::derive_by_masim(std::uint64_t seed) {
  if (problem_->gate_count() > most_for_masim || netlist_ == nullptr) return true;
  MasimMachine machine(*problem_, problem_->home_arrays() + 7, *stop_);
  std::vector<MasimMachine::Choice> current(problem_->gate_count()), best(problem_->gate_count()), file;
  file.reserve(problem_->gate_count());
  for (std::uint32_t gate = 0; gate < problem_->gate_count(); ++gate) file.push_back({gate, 0});
  if (machine.stopped()) return false;
  priority::PrioritySearch<MasimMachine> search(machine, current, best, seed);
  search.derive(file);
  if (machine.stopped()) return false;
  work_ += machine.work() * work_of_masim;
  if (!search.found()) return true;
  if (search.best_cost() < std::min({elsewhere.copies, many.copies, single.copies})) {
    elsewhere = {};
    elsewhere.copies = search.best_cost();
    elsewhere.schedule = std::make_shared<Schedule>(machine.record(*netlist_, search.best()));
  }
  Order order;
  std::vector<std::uint32_t> array_of_gate(problem_->gate_count());
  for (const auto& choice : search.best()) {
    order.push_back(choice.gate);
    array_of_gate[choice.gate] = choice.array;
  }
  import(order, array_of_gate);
  return !should_stop(*stop_);
}

}  // namespace nestor::simd
