#include "mapper/simd/make_schedule.h"

#include <algorithm>

#include "heuristics/simd/methods.h"
#include "mapper/simd/bound_raiser.h"
#include "mapper/simd/prove_schedule.h"
#include "model/simd/arrange_arrays.h"
#include "model/simd/emit.h"
#include "model/simd/recompute.h"

namespace nestor::simd {

namespace {

/// Returns the number of useful rows. With a row for every value in the first array, more rows would only use
/// memory.
std::uint32_t useful_rows(const Netlist& netlist, std::uint32_t rows) {
  const std::size_t values = netlist.input_names.size() + netlist.gates.size();
  return static_cast<std::uint32_t>(std::min<std::size_t>(rows, values + 4));
}

/// Returns an upper estimate of the time to write a schedule, which is part of the time limit.
double seconds_to_write(const Netlist& netlist) {
  constexpr double per_gate = 1.2e-6;
  return per_gate * static_cast<double>(netlist.gates.size());
}

/// True if the inputs fit, gates can run in some array, and there is a row for every output. Otherwise no
/// schedule exists.
bool could_have_room(const ScheduleProblem& problem) {
  if (!problem.inputs_fit()) return false;
  if (problem.array_limit() == 0 || problem.gate_count() == 0) return true;
  std::uint64_t rows = 0;
  for (std::uint32_t array = 0; array < std::min(problem.array_limit(), problem.home_arrays() + 1); ++array)
    rows += problem.free_rows(array);
  const std::uint64_t empty =
      problem.array_limit() - std::min(problem.array_limit(), problem.home_arrays() + 1);
  return rows != 0 && rows + empty * problem.rows() >= problem.stay_count();
}

/// Completes the result of a run with a schedule: the schedule is an optimum if it reaches the bound.
void finish(ScheduleResult& result, RunControl& control, std::uint64_t work) {
  result.work = work;
  result.seconds = control.seconds();
  result.milestones = control.take_milestones();
  if (result.copies <= result.bound.copies)
    result.status = Status::optimal;
  else if (result.status != Status::memory_limit)
    result.status = control.why(work);
}

/// Returns the result for a netlist without gates: every output is an input or a constant.
ScheduleResult nothing_to_compute(const Netlist& netlist, const ScheduleProblem& problem) {
  ScheduleResult result;
  result.bound = lower_bound(problem);
  result.completed = true;
  result.schedule.array_limit = problem.array_limit();
  result.schedule.outputs = locate_outputs(netlist, [](Value) { return Place{}; });
  return result;
}

void trade_copies(const Netlist& netlist, const EnergyModel& energy, ScheduleResult& result) {
  result.schedule.recompute = true;
  if (energy.copy <= energy.compute) return;
  result.schedule = recompute_instead_of_copies(netlist, result.schedule);
  result.copies = copy_count(result.schedule);
}

/// Arranges the arrays so that copies pass over few arrays. A schedule with the fewest copies is known to
/// have the least energy only if no copy passes over an array.
void take_distances(const ScheduleRequest& request, const ScheduleProblem& problem, ScheduleResult& result) {
  arrange_arrays(result.schedule, problem.home_arrays());
  if (request.objective != ScheduleObjective::energy || result.status != Status::optimal ||
      arrays_passed(result.schedule) == 0)
    return;
  result.status = Status::heuristic;
  result.completed = true;
}

}  // namespace

Scheduled make_schedule(const Netlist& netlist, const ScheduleRequest& request) {
  RunControl control(request, seconds_to_write(netlist));
  const ScheduleProblem problem(netlist, useful_rows(netlist, request.rows), request.array_limit);
  if (!could_have_room(problem)) return {Status::infeasible, true};
  if (problem.gate_count() == 0) {
    ScheduleResult empty = nothing_to_compute(netlist, problem);
    empty.schedule.rows = request.rows;
    finish(empty, control, 0);
    return empty;
  }
  ScheduleResult result;
  result.bound =
      lower_bound(problem, request.recompute, BoundEffort::brief, [&] { return control.stopped(); });
  BoundRaiser raiser(problem, request, control);
  const MethodRun run{netlist, problem, request, control, result.bound, raiser.of_run()};
  std::uint64_t work = 0;
  bool found = false;
  std::optional<Status> ended;  // final status of an exact search
  switch (request.method) {
    case ScheduleMethod::nestor:
      found = run_nestor(run, result, work);
      break;
    case ScheduleMethod::masim:
    case ScheduleMethod::masim_paper:
      found = run_masim(run, result, work);
      break;
    case ScheduleMethod::exact:
      found = run_exact(run, result, work, ended);
      break;
    default:
      found = run_baseline(run, result, work);
      break;
  }
  if (!found && ended) return {*ended, *ended == Status::infeasible};
  if (!found) return {control.why(work), !control.over(work)};
  // If a limit stopped the run, the bound is not raised, so that it is the same for a time limit as for a
  // work limit.
  if (!control.out_of_work(work) && !control.stopped())
    raiser.of_run()(result.copies, std::min(planned_work(request), work), result.bound);
  close_array_gaps(result.schedule, problem.home_arrays());
  result.schedule.rows = request.rows;
  finish(result, control, work);
  if (request.recompute) trade_copies(netlist, request.energy, result);
  if (request.energy.copy_step > 0) take_distances(request, problem, result);
  return result;
}

}  // namespace nestor::simd
