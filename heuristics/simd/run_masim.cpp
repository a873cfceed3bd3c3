// MASIM as published, on the shared search frame: the order of the file first (as its authors' program does),
// R random constructions, then improvement passes until R of them in a row brought nothing.
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
    search.derive(file_order);
    search.restart(run.request.restarts, stop);
    if (!search.found()) {
      if (arrays < CicppMachine::most_arrays && !stop()) continue;
      return false;
    }
    if (run.request.improve) search.improve(run.request.restarts, stop);
    result.completed = !stop();
    result.copies = search.best_cost();
    result.schedule = machine.record(run.netlist, search.best());
    result.trials = search.statistics().constructions;
    result.passes = search.statistics().passes;
    return true;
  }
}

}  // namespace nestor::simd
