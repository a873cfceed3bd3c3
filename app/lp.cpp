// nestor lp: solves a linear program from an MPS or LP file with the bundled simplex. Integrality is dropped,
// and said so: the answer is then that of the relaxation.
#include <chrono>
#include <cmath>

#include "app/console.h"
#include "app/output.h"
#include "app/verb_table.h"
#include "io/lp/lp_model.h"
#include "report/lp_solution.h"
#include "solver/simplex/simplex.h"

namespace nestor::app {
namespace {

using simplex::Index;
using simplex::LpSolution;
using simplex::LpStatus;

// The solver minimises; a file that maximises wants its own signs back.
void restore_sense(const io::LpModel& model, LpSolution& solution) {
  if (!model.maximize) return;
  solution.objective = 0 - solution.objective;
  for (auto* values : {&solution.row_dual, &solution.reduced_cost})
    for (double& value : *values) value = 0 - value;  // never -0
}

io::Error no_optimum(const std::string& file, io::ErrorKind kind, std::string why) {
  io::Error error = io::input_error({file}, std::move(why));
  error.kind = kind;
  return error;
}

// Most often the numbers of the program are too far apart for the 16 digits of a double.
std::string spread_text(const io::LpModel& model) {
  constexpr double wide = 1e10;
  double least = simplex::infinity;
  double most = 0;
  const auto see = [&](double value) {
    if (value == 0 || std::isinf(value)) return;
    least = std::min(least, std::abs(value));
    most = std::max(most, std::abs(value));
  };
  for (Index j = 0; j < model.program.columns(); ++j) {
    see(model.program.cost(j));
    for (const auto& entry : model.program.column(j)) see(entry.value);
  }
  if (!(most > wide * least)) return {};
  return fmt::format("; its coefficients range from {:.3g} to {:.3g}, too far apart for double precision",
                     least, most);
}

// An unbounded program has no optimum either: both leave with status 4.
io::Result<Outcome> outcome_of(LpStatus status, const io::LpModel& model, const std::string& file) {
  switch (status) {
    case LpStatus::optimal:
      return Outcome::solved;
    case LpStatus::iteration_limit:
      return Outcome::limited;
    case LpStatus::infeasible:
      return no_optimum(file, io::ErrorKind::infeasible,
                        "infeasible: no point satisfies all rows and bounds");
    case LpStatus::unbounded:
      return no_optimum(file, io::ErrorKind::infeasible, "unbounded: there is no optimum");
    case LpStatus::numerical_trouble:
      break;
  }
  return no_optimum(file, io::ErrorKind::internal,
                    fmt::format("numerical trouble: no answer could be certified{}", spread_text(model)));
}

// Under a limit of time the solver works in stretches, each from the basis of the one before.
LpSolution solve(simplex::Simplex solver, double seconds) {
  if (std::isinf(seconds)) {
    solver.solve();
    return solver.solution();
  }
  constexpr std::uint64_t first_stretch = 200;
  constexpr std::uint64_t share_of_the_work = 4;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  std::uint64_t iterations = 0;
  LpSolution solution;
  do {
    solver.options().iteration_limit = std::max(first_stretch, iterations / share_of_the_work);
    solver.solve();
    solution = solver.solution();
    iterations += solution.iterations;
  } while (solution.status == LpStatus::iteration_limit &&
           std::chrono::duration<double>(Clock::now() - begin).count() < seconds);
  solution.iterations = iterations;
  return solution;
}

}  // namespace

io::Result<Outcome> lp(const io::RunOptions& options, Spaces /*spaces*/) {
  if (options.inputs.size() != 1)
    return io::usage_error("lp takes one file: FILE.mps or FILE.lp, or either with .gz");
  const auto model = io::read_lp_model(options.inputs.front());
  if (!model) return model.error();
  LpSolution solution = solve(simplex::Simplex(model->minimisation()), options.run_time_limit);
  restore_sense(*model, solution);

  if (prints_tables(options)) print_text(report::lp_text(*model, solution));
  if (const auto error = write_json_output(options, report::lp_json(*model, solution))) return *error;
  return outcome_of(solution.status, *model, options.inputs.front());
}

}  // namespace nestor::app
