// nestor simulate and --trace on a compute-near-memory system. Whole programs run slot by slot or command by
// command, without extrapolation, and are compared with the estimate.
#include "app/cnm/cnm.h"
#include "app/cnm/trace.h"
#include "app/console.h"
#include "app/output.h"
#include "report/cnm/replay_run.h"
#include "report/cnm/result_json.h"
#include "report/cnm/trace/cnm_trace.h"

namespace nestor::app::cnm_space {

io::MaybeError write_unit_trace(const io::RunOptions& options, const KernelWork& work) {
  if (work.tasks.size() != 1)
    return io::usage_error(
        fmt::format("--trace shows one layer, found {}: choose one with --layer", work.tasks.size()));
  const auto units = report::unit_programs(work.tasks[0], work.system);
  if (units.empty() || !units[0].fault.empty())
    return io::usage_error(units.empty() ? "--trace: the kernel has no mapping"
                                         : "--trace: " + units[0].fault);
  const report::UnitProgram& unit = units[0];
  const auto trace = unit.program ? io::make_dpu_trace(work.system, *unit.program, unit.tasklets)
                                  : io::make_channel_trace(work.system, *unit.stream);
  print_remark(io::trace_notice(trace.complete));
  return io::write_trace(options.trace, trace);
}

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  const auto work = read_work(options, io::Verb::simulate);
  if (!work) return work.error();
  const cnm::System& system = work->system;
  report::ReplayRun run(*work);
  for (const KernelTask& task : work->tasks) {
    const auto refused = [&](const std::string& why, int line, int column) {
      return io::input_error({task.input.file, line, column},
                             (work->network.empty() ? "" : task.name + ": ") + why);
    };
    if (task.input.kernel && task.mapping.empty()) {
      run.add_unmapped(task);
      continue;
    }
    const auto [estimate, line, column] = report::estimate_task(task, system);
    if (!estimate.refusal.empty()) return refused(estimate.refusal, line, column);
    std::vector<report::UnitReplay> units;
    for (const auto& unit : report::unit_programs(task, system)) {
      auto [exact, fault] = report::replay(unit, system);
      if (!fault.empty()) return refused(fault, 0, 0);
      units.push_back(std::move(exact));
    }
    run.add(task, estimate, units);
  }
  Outputs outputs;
  if (prints_tables(options)) print_text(run.text());
  if (!options.trace.empty()) outputs.add(write_unit_trace(options, *work));
  outputs.add(
      write_json_output(options, report::result_json(io::Verb::simulate, *work, options, run.records())));
  return outputs.end(ExitStatus::solved);
}

}  // namespace nestor::app::cnm_space
