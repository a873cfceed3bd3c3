#include "mapper/chip/compile_network.h"

#include <fmt/format.h>

#include "heuristics/chip/baselines.h"
#include "mapper/chip/incumbents.h"
#include "model/chip/functions.h"
#include "solver/search/tolerance.h"

namespace nestor::chip {
namespace {

std::vector<BaselineRun> run_baselines(const ChipProblem& problem, const CompileRequest& request,
                                       const StopSource& stop) {
  std::vector<BaselineRun> runs;
  for (const auto baseline : all_baselines) {
    auto decisions = run_baseline(problem, baseline, request.levels, true, stop);
    if (!decisions || find_violation(problem, *decisions)) continue;
    const ChipEvaluation figures = evaluate(problem, *decisions);
    runs.push_back({baseline, std::move(*decisions), figures.latency_cycles, figures.interval_cycles,
                    figure_of(figures, request.objective)});
  }
  return runs;
}

// Returns the schedule of the baseline `request.method`, or no schedule if this baseline found no legal one.
CompileOutcome take_baseline(const NetworkRequest& request, const std::vector<BaselineRun>& runs) {
  CompileOutcome outcome;
  outcome.status = Status::heuristic;
  for (const auto& run : runs) {
    if (run.baseline != request.method) continue;
    outcome.best = run.decisions;
    outcome.objective = run.objective;
  }
  return outcome;
}

CompileOutcome search(const ChipProblem& problem, const CompileRequest& request,
                      const std::vector<BaselineRun>& baselines, const SearchResources& resources) {
  const StopSource& stop = resources.stop;
  std::vector<Decisions> first;
  first.reserve(baselines.size());
  for (const auto& run : baselines) first.push_back(run.decisions);
  first = first_schedules(problem, request, std::move(first), stop);
  auto outcome = search_parts(problem, request, first, resources.executor, stop, resources.observer);
  improve_known(problem, request, first, outcome, stop);
  search_labels(problem, request, outcome, stop, resources.observer);
  break_ties(problem, request, outcome, resources.executor, stop);
  return outcome;
}

// Final check of a schedule, by the code of `nestor evaluate`.
void check(const ChipProblem& problem, CompileObjective objective, CompileResult& result) {
  if (const auto violation = find_violation(problem, *result.outcome.best)) {
    result.fault = "the search found an illegal schedule: " + violation->message;
    return;
  }
  result.evaluation = evaluate(problem, *result.outcome.best);
  if (!costs_agree(result.outcome.objective, figure_of(*result.evaluation, objective)))
    result.fault = "the search and the evaluator disagree on the cost of the schedule";
}

// Returns a refusal if a product does not fit on crossbars and the digital unit cannot multiply and add.
std::optional<ChipRefusal> product_without_place(const ChipMachine& machine, const ChipNetwork& network) {
  const auto problem = make_problem(machine, network);
  for (std::size_t i = 0; i < problem.size(); ++i)
    if (!problem.facts[i].may_use_alu && !problem.facts[i].may_use_array &&
        network.operators[i].kind == OperatorKind::product)
      return ChipRefusal{
          fmt::format(
              "product '{}' does not fit the crossbars of {}, which also has no functions mul and add for it",
              network.operators[i].name, machine.name),
          true};
  return std::nullopt;
}

}  // namespace

CompileResult compile_network(const ChipProblem& problem, const NetworkRequest& request,
                              const SearchResources& resources) {
  CompileResult result;
  result.proves = request.method == CompileMethod::optimal;
  result.baselines = run_baselines(problem, request.search, resources.stop);
  result.outcome = result.proves ? search(problem, request.search, result.baselines, resources)
                                 : take_baseline(request, result.baselines);
  if (result.outcome.best) check(problem, request.search.objective, result);
  return result;
}

std::variant<ChipNetwork, ChipRefusal> fit(const ChipMachine& machine, ChipNetwork whole) {
  if (auto missing = missing_function(machine, whole)) return ChipRefusal{std::move(*missing), true};
  if (auto refused = admit(machine, whole)) return std::move(*refused);
  if (auto refused = split(machine, whole)) return std::move(*refused);
  if (auto missing = missing_function(machine, whole)) return ChipRefusal{std::move(*missing), true};
  // The parts of a split operator can be wider than the operator.
  if (auto refused = admit(machine, whole)) return std::move(*refused);
  if (auto refused = product_without_place(machine, whole)) return std::move(*refused);
  return whole;
}

}  // namespace nestor::chip
