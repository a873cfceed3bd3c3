// The schedulers MASIM is compared with: an order of their own, again and again with other ties, and greedy
// instruction generation; in ablations with MASIM's generation or improvement.
#include <type_traits>
#include <utility>

#include "heuristics/simd/baseline_orders.h"
#include "heuristics/simd/greedy_machine.h"
#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/methods.h"

namespace nestor::simd {

namespace {

Order order_of(ScheduleMethod method, const ScheduleProblem& problem, bool first, Random& random,
               const Stop& stop) {
  switch (method) {
    case ScheduleMethod::simpler:
      return simpler_order(problem, first, random, stop);
    case ScheduleMethod::star:
      return star_order(problem, first, random, stop);
    case ScheduleMethod::date24:
      return date24_order(problem, stop);
    default:
      return gppic_order(problem, first, random, stop);
  }
}

template <typename Machine>
bool run_orders(const MethodRun& run, Machine machine, ScheduleResult& result, std::uint64_t& work) {
  std::vector<typename Machine::Choice> current(run.problem.gate_count()), best(run.problem.gate_count());
  std::vector<typename Machine::Choice> fixed(run.problem.gate_count());
  priority::PrioritySearch<Machine> search(machine, current, best, run.request.seed);
  Random random(run.request.seed);
  const std::uint64_t before = work;
  const auto stop = [&] {
    work = before + machine.work();
    if (search.found()) run.control.note(search.best_cost(), work);
    return run.control.over(work);
  };
  // DATE24 has one order only.
  const std::uint64_t trials = run.request.method == ScheduleMethod::date24 ? 1 : run.request.restarts;
  std::uint64_t trial = 0;
  std::uint32_t written = impossible;  ///< copies of what is written down
  std::uint64_t work_written = 0;
  bool given_up = false;  ///< a better one, while it was written
  do {
    const Order order =
        order_of(run.request.method, run.problem, trial == 0, random, [&] { return run.control.stopped(); });
    if (order.size() < fixed.size()) break;
    for (std::size_t i = 0; i < order.size(); ++i) fixed[i] = {order[i], 0};
    search.derive(fixed, stop);
    if constexpr (std::is_same_v<Machine, GreedyMachine>) {
      if (!search.found() || search.best_cost() >= written || order.size() <= most_written_at_the_end)
        continue;
      // Without a better one there is the first.
      const bool first = written == impossible;
      Schedule better = machine.record(run.netlist, search.best(), [&] {
        return first ? run.control.stopped_by_signal() : run.control.stopped();
      });
      if (better.instructions.empty()) {
        given_up = true;
        break;
      }
      result.schedule = std::move(better);
      written = search.best_cost();
      work_written = before + machine.work();
    }
  } while (++trial < trials && !stop());
  if (!search.found() || (given_up && written == impossible)) return false;
  if (run.request.improve_baseline && !given_up) search.improve(run.request.restarts, stop);
  result.completed = !given_up && !stop();
  if (given_up) {
    work = work_written;  // so much again gives what is written
    result.copies = written;
  } else {
    result.copies = search.best_cost();
    if (result.copies < written) result.schedule = machine.record(run.netlist, search.best());
  }
  result.trials = trial;
  result.passes = search.statistics().passes;
  return true;
}

}  // namespace

bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  if (!run.request.masim_generation) return run_orders(run, GreedyMachine(run.problem), result, work);
  return run_orders(
      run, MasimMachine(run.problem, run.problem.home_arrays() + 7, [&run] { return run.control.stopped(); }),
      result, work);
}

}  // namespace nestor::simd
