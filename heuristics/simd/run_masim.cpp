// MASIM on the shared search frame. Method masim-paper is the flow of the paper: R random constructions, then
// improvement passes on the best of them until R in a row brought nothing.
//
// Method masim also derives the order of the file, as its authors' program does. A construction that beats
// the order of the file by little can be improved by little, too, so the order of the file is improved first,
// and the constructions compete with that. Published copies come out this way: for `max` 937 to 969 instead
// of 1112 to 1164.
#include <algorithm>

#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/methods.h"
#include "model/simd/evaluator.h"

namespace nestor::simd {

namespace {

constexpr std::uint64_t passes_before_constructions = 20;  // times R

/// The last schedule of a large netlist that was written down, for a signal to end with. The next one is when
/// there is a better one and twice the work is done.
class Written {
 public:
  Written(const MethodRun& run, MasimMachine& machine, std::uint64_t before)
      : run_(&run), machine_(&machine), before_(before) {}

  bool is_due(const priority::PrioritySearch<MasimMachine>& search) const {
    return run_->problem.gate_count() > most_written_at_the_end && search.found() &&
           search.best_cost() < copies && machine_->work() + before_ >= 2 * work;
  }
  void write(const priority::PrioritySearch<MasimMachine>& search) {
    const std::uint64_t now = before_ + machine_->work();
    const bool first = copies == impossible;
    Schedule better = machine_->record(run_->netlist, search.best(), [&] {
      return first ? run_->control.stopped_by_signal() : run_->control.stopped();
    });
    if (better.instructions.empty()) return;
    schedule = std::move(better);
    copies = search.best_cost();
    work = now;
  }

  Schedule schedule;
  std::uint32_t copies = impossible;
  std::uint64_t work = 0;

 private:
  const MethodRun* run_;
  MasimMachine* machine_;
  std::uint64_t before_;
};

}  // namespace

bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  std::vector<MasimMachine::Choice> current(run.problem.gate_count()), best(run.problem.gate_count());
  std::vector<MasimMachine::Choice> file_order;
  file_order.reserve(run.problem.gate_count());
  for (std::uint32_t gate = 0; gate < run.problem.gate_count(); ++gate) file_order.push_back({gate, 0});

  const bool by_paper = run.request.method == ScheduleMethod::masim_paper;
  // The authors' machine has 8 arrays; netlists that need more get them.
  const std::uint32_t limit =
      run.problem.array_limit() == 0 ? MasimMachine::most_arrays : run.problem.array_limit();
  for (std::uint32_t arrays = run.problem.home_arrays() + 7;; arrays *= 2) {
    // The machine asks far more often than the search, and for the same limits: what the clock cuts off a
    // limit on work cuts off at the same place. The first schedule counts whatever work it takes.
    const std::uint64_t before = work;
    const MasimMachine* asking = nullptr;
    bool found = false;
    MasimMachine machine(run.problem, arrays, [&] {
      return run.control.stopped() || (found && run.control.out_of_work(before + asking->work()));
    });
    asking = &machine;
    priority::PrioritySearch<MasimMachine> search(machine, current, best, run.request.seed);
    const auto stop = [&] {
      work = before + machine.work();
      found = search.found();
      if (found) run.control.note(search.best_cost(), work);
      return run.control.over(work) || (search.found() && search.best_cost() <= run.bound.copies);
    };
    // A bad order gains by nearly every pass: the constructions must have their turn, and not by the clock,
    // or what a run that completes finds would depend on the machine.
    const auto enough = [&] {
      return search.statistics().passes >= passes_before_constructions * run.request.restarts;
    };
    Written written(run, machine, before);
    const auto improve = [&](const auto& ends) {
      for (;;) {
        search.improve(run.request.restarts, [&] { return ends() || written.is_due(search); });
        if (!written.is_due(search) || ends()) return;
        written.write(search);
      }
    };
    if (!by_paper) {
      if (!machine.stopped()) search.derive(file_order);
      if (written.is_due(search)) written.write(search);
      if (run.request.improve) improve([&] { return enough() || stop(); });
    }
    const bool unfinished = by_paper || enough();
    const std::uint64_t improvements = search.statistics().improvements;
    const std::uint64_t constructions = std::max<std::uint64_t>(run.request.restarts, by_paper ? 1 : 0);
    for (std::uint64_t i = 0; i < constructions && !stop(); ++i) {
      search.construct(stop);
      if (written.is_due(search)) written.write(search);
    }
    if (!search.found()) {
      if (arrays < std::min(limit, MasimMachine::most_arrays) && !run.control.over(work)) continue;
      return false;
    }
    if (run.request.improve && (unfinished || search.statistics().improvements > improvements)) improve(stop);
    result.completed = !stop();
    const bool signal =
        run.problem.gate_count() > most_written_at_the_end && run.control.stop().interrupted();
    if (signal && written.copies == impossible) return false;
    if (signal) work = written.work;  // so much again gives what is written
    result.copies = signal ? written.copies : search.best_cost();
    result.schedule = signal ? std::move(written.schedule) : machine.record(run.netlist, search.best());
    result.trials = search.statistics().constructions;
    result.passes = search.statistics().passes;
    return true;
  }
}

}  // namespace nestor::simd
