// MASIM as published, on the shared search frame: the order of the file first (as its authors' program does),
// R random constructions, improvement passes until R of them in a row brought nothing. The order of the file
// is improved before the constructions, too: only so comes `max` to the copies of Table II. From the best
// construction, which beats the unimproved file, passes gain little.
#include "heuristics/simd/cicpp.h"
#include "heuristics/simd/methods.h"

namespace nestor::simd {

bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  std::vector<CicppMachine::Choice> current(run.problem.gate_count()), best(run.problem.gate_count());
  std::vector<CicppMachine::Choice> file_order;
  file_order.reserve(run.problem.gate_count());
  for (std::uint32_t gate = 0; gate < run.problem.gate_count(); ++gate) file_order.push_back({gate, 0});

  // The authors' machine has 8 arrays; netlists that need more get them.
  for (std::uint32_t arrays = run.problem.home_arrays() + 7;; arrays *= 2) {
    CicppMachine machine(run.problem, arrays);
    priority::PrioritySearch<CicppMachine> search(machine, current, best, run.request.seed);
    const std::uint64_t before = work;
    const auto stop = [&] {
      work = before + machine.work();
      if (search.found()) run.campaign.note(search.best_cost(), work);
      return run.campaign.over(work) || (search.found() && search.best_cost() <= run.bound.copies);
    };
    const auto improve = [&] {
      if (run.request.improve) search.improve(run.request.restarts, stop);
    };
    search.derive(file_order);
    improve();
    const std::uint64_t before_constructions = search.statistics().improvements;
    search.restart(run.request.restarts, stop);
    if (!search.found()) {
      if (arrays < CicppMachine::most_arrays && !stop()) continue;
      return false;
    }
    if (search.statistics().improvements > before_constructions) improve();
    result.completed = !stop();
    result.copies = search.best_cost();
    result.schedule = machine.record(run.netlist, search.best());
    result.trials = search.statistics().constructions;
    result.passes = search.statistics().passes;
    return true;
  }
}

}  // namespace nestor::simd
