#include "model/chip/search/compile.h"

#include <algorithm>
#include <cmath>

#include "model/chip/search/label_enumeration.h"

namespace nestor::chip {
namespace {

// Limit on the labels of an enumeration for up to `few_operators` operators, reached after some seconds. The
// result is then that of the earlier searches.
constexpr std::uint64_t most_labels = 20'000'000;
constexpr std::size_t few_operators = 16;
/// Limit on labels for more than `few_operators` operators, whose enumeration rarely finishes.
constexpr std::uint64_t few_labels = 500'000;

}  // namespace

std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request) {
  const ChipMachine& machine = problem.machine;
  if (request.objective != CompileObjective::latency) return "objectives other than latency";
  if (request.limits.any()) return "limits on other figures";
  if (request.levels.stream) return "pixel-wise pipelines";
  if (has_noc_cost(machine)) return "transfers between cores that take cycles";
  if (machine.l0.size != left_out && (machine.l0.strict || machine.off_chip_bandwidth != left_out))
    return "a global buffer that may be too small";
  if (problem.size() > most_operators_to_cut) return "networks with so many operators";
  // Products on crossbars relieve a shared digital unit, which the segment search does not model.
  if (!machine.alu_shared || machine.chip_alu == left_out) return std::nullopt;
  for (std::size_t i = 0; i < problem.size(); ++i)
    if (problem.network.operators[i].kind == OperatorKind::product && problem.facts[i].may_use_array)
      return "products that may run on crossbars instead of a shared digital unit";
  return std::nullopt;
}

double figure_of(const ChipEvaluation& evaluation, CompileObjective objective) {
  if (objective == CompileObjective::latency) return static_cast<double>(evaluation.latency_cycles);
  return objective == CompileObjective::energy ? evaluation.energy_pj : evaluation.peak_power;
}

bool keeps(const ChipEvaluation& evaluation, const FigureLimits& limits) {
  return (!limits.latency || evaluation.latency_cycles <= *limits.latency) &&
         (!limits.energy || !exceeds(evaluation.energy_pj, *limits.energy)) &&
         (!limits.peak_power || !exceeds(evaluation.peak_power, *limits.peak_power));
}

bool is_better(const ChipEvaluation& a, const ChipEvaluation& b, const CompileRequest& request) {
  if (keeps(a, request.limits) != keeps(b, request.limits)) return keeps(a, request.limits);
  const double left = figure_of(a, request.objective);
  const double right = figure_of(b, request.objective);
  if (std::abs(left - right) > 1e-12 * std::abs(right)) return left < right;
  const auto other = tie_breaker(request.objective);
  return figure_of(a, other) < figure_of(b, other) * (1 - 1e-12);
}

void offer(const ChipProblem& problem, const CompileRequest& request, const Decisions& decisions,
           CompileOutcome& outcome) {
  if (find_violation(problem, decisions)) return;
  ChipEvaluation figures = evaluate(problem, decisions);
  if (!keeps(figures, request.limits)) return;
  if (outcome.best && !outcome.figures) outcome.figures = evaluate(problem, *outcome.best);
  if (outcome.best && !is_better(figures, *outcome.figures, request)) return;
  outcome.best = decisions;
  outcome.objective = figure_of(figures, request.objective);
  outcome.figures = std::move(figures);
}

void search_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                   const StopSource& stop, EngineObserver* observer) {
  if (outcome.status != Status::work_limit) return;
  if (stop.requested()) {
    // If the work limit had already ended the earlier search, its status remains.
    if (outcome.counts.nodes < request.work_limit) outcome.status = stop.status();
    return;
  }
  CompileRequest rest = request;
  const std::uint64_t most = problem.size() <= few_operators ? most_labels : few_labels;
  rest.work_limit = std::min(most, request.work_limit - std::min(request.work_limit, outcome.counts.nodes));
  if (rest.work_limit > 0) enumerate_labels(problem, rest, outcome, stop, observer);
  if (outcome.best && closes(outcome.bound, outcome.objective, request.objective))
    outcome.status = Status::optimal;
  // The search stopped at its built-in limit on labels, not at a limit of the request.
  if (outcome.status == Status::work_limit && outcome.counts.nodes + outcome.labels < request.work_limit)
    outcome.status = Status::heuristic;
}

CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer) {
  auto outcome = search_parts(problem, request, incumbents, executor, stop, observer);
  search_labels(problem, request, outcome, stop, observer);
  break_ties(problem, request, outcome, executor, stop);
  return outcome;
}

}  // namespace nestor::chip
