// The schedulers with which MASIM is compared. Each scheduler builds its own orders, repeatedly with
// different tie-breaking, and generates instructions greedily. Ablations use MASIM's generation or
// improvement.
#include <type_traits>
#include <utility>

#include "heuristics/simd/baseline_orders.h"
#include "heuristics/simd/greedy_machine.h"
#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/methods.h"
#include "heuristics/simd/priority_team.h"

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

template <typename Machine, typename MakeMachine>
bool run_orders(const MethodRun& run, const MakeMachine& make, ScheduleResult& result, std::uint64_t& work) {
  const std::size_t gates = run.problem.gate_count();
  PriorityTeam<Machine> team(run, searches_of(run.request), run.problem.home_arrays() + 7, work, make);
  const auto stop = [&] {
    work = team.work();
    if (team.found()) run.control.note(team.best_cost(), work);
    return run.control.over(work);
  };
  // DATE24 has only one order.
  const std::uint64_t trials =
      run.request.method == ScheduleMethod::date24 ? 1 : std::max<std::uint64_t>(run.request.restarts, 1);
  std::uint64_t made = 0;
  std::uint32_t written = impossible;  ///< copies of the recorded schedule
  std::uint64_t work_written = 0;
  bool given_up = false;  ///< true if recording of a better schedule was stopped
  do {
    made +=
        team.construct(trials - made, stop, [&](auto& search, Random& random, bool first, const auto& ends) {
          const Order order =
              order_of(run.request.method, run.problem, first, random, [&] { return ends(); });
          if (order.size() < gates) return;
          std::vector<typename Machine::Choice> fixed(gates);
          for (std::size_t i = 0; i < gates; ++i) fixed[i] = {order[i], 0};
          search.derive(fixed, ends);
        });
    if constexpr (std::is_same_v<Machine, GreedyMachine>) {
      if (!team.found() || team.best_cost() >= written || gates <= most_written_at_the_end) continue;
      // Recording of the first schedule must not be stopped by a limit, because there is no earlier schedule.
      const bool first = written == impossible;
      Schedule better = team.machine().record(run.netlist, team.best(), [&] {
        return first ? run.control.stopped_by_signal() : run.control.stopped();
      });
      if (better.instructions.empty()) {
        given_up = true;
        break;
      }
      result.schedule = std::move(better);
      written = team.best_cost();
      work_written = team.work();
    }
  } while (made < trials && !stop());
  if (!team.found() || (given_up && written == impossible)) return false;
  if (run.request.improve_baseline && !given_up) team.improve(run.request.restarts, stop);
  result.completed = !given_up && !stop();
  if (given_up) {
    work = work_written;  // a work limit of this value reproduces the recorded schedule
    result.copies = written;
  } else {
    result.copies = team.best_cost();
    if (result.copies < written) result.schedule = team.machine().record(run.netlist, team.best());
  }
  result.trials = made;
  result.passes = team.passes();
  return true;
}

}  // namespace

bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  if (!run.request.masim_generation)
    return run_orders<GreedyMachine>(
        run, [&run](const Stop&) { return GreedyMachine(run.problem); }, result, work);
  return run_orders<MasimMachine>(
      run,
      [&run](Stop stop) { return MasimMachine(run.problem, run.problem.home_arrays() + 7, std::move(stop)); },
      result, work);
}

}  // namespace nestor::simd
