// nestor lp: solves a linear program from an MPS or LP file with the bundled simplex. Integrality is dropped;
// a remark then states that the result belongs to the relaxation.
#include "app/console.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "io/lp/lp_model.h"
#include "report/lp_solution.h"
#include "solver/engine/stop_source.h"
#include "solver/simplex/simplex.h"

namespace nestor::app {
namespace {

using simplex::LpStatus;

// Infeasible and unbounded programs have no optimum, so both exit with status 4.
io::Result<ExitStatus> outcome_of(LpStatus status, const StopSource& stop, const io::LpModel& model,
                                  const std::string& file) {
  if (status == LpStatus::optimal) return ExitStatus::solved;
  if (status == LpStatus::iteration_limit) return limited_by(to_string(stop.status()));
  io::Error error = io::input_error({file}, report::no_optimum_text(model, status));
  const bool in_trouble = status == LpStatus::numerical_trouble;
  error.kind = in_trouble ? io::ErrorKind::internal : io::ErrorKind::infeasible;
  return error;
}

}  // namespace

io::Result<ExitStatus> lp(const io::RunOptions& options, Spaces /*spaces*/) {
  if (options.inputs.size() != 1)
    return io::usage_error("lp takes one file: FILE.mps or FILE.lp, or either with .gz");
  const auto model = io::read_lp_model(options.inputs.front());
  if (!model) return model.error();
  StopSource stop(deadline_after(options.run_time_limit, program_start()));
  stop.watch(&watch_signals());
  simplex::Simplex solver(model->minimisation());
  solver.options().stop = &stop;
  solver.solve();
  auto solution = solver.solution();
  model->restore_sense(solution);

  const std::string_view status =
      solution.status == LpStatus::iteration_limit ? to_string(stop.status()) : to_string(solution.status);
  if (prints_tables(options)) print_text(report::lp_text(*model, solution, status));
  if (const auto error = write_json_output(options, report::lp_json(*model, solution, status))) return *error;
  return outcome_of(solution.status, stop, *model, options.inputs.front());
}

}  // namespace nestor::app
