#include "model/chip/search/compile.h"

#include <algorithm>

#include "model/chip/search/cut_search.h"
#include "model/chip/search/label_enumeration.h"

namespace nestor::chip {
namespace {

// Labels when nobody says how many: some seconds. Large networks end here with what the heuristics found.
constexpr std::uint64_t default_labels = 20'000'000;
// Cuts keep a bound for every pair of operators.
constexpr std::size_t most_operators_to_cut = 3000;

}  // namespace

std::optional<std::string_view> why_not_by_cuts(const ChipProblem& problem, const CompileRequest& request) {
  const ChipMachine& machine = problem.machine;
  if (request.objective != CompileObjective::latency) return "another objective than latency";
  if (request.limits.any()) return "limits on other figures";
  if (has_noc_cost(machine)) return "transfers between cores that take cycles";
  if (machine.l0.size != left_out && (machine.l0.strict || machine.off_chip_bandwidth != left_out))
    return "a global buffer that may be too small";
  if (problem.size() > most_operators_to_cut) return "networks of so many operators";
  // A shared digital unit is relieved by products on crossbars, which the segment search does not see.
  if (!machine.alu_shared || machine.chip_alu == left_out) return std::nullopt;
  for (std::size_t i = 0; i < problem.size(); ++i)
    if (problem.network.operators[i].kind == OperatorKind::product && problem.facts[i].may_use_array)
      return "products that may leave a shared digital unit";
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

CompileOutcome compile(const ChipProblem& problem, const CompileRequest& request,
                       std::span<const Decisions> incumbents, Executor& executor, StopSource& stop,
                       EngineObserver* observer) {
  // What is legal with fewer levels is legal, and no slower, with all that may be used.
  std::vector<Decisions> offered(incumbents.begin(), incumbents.end());
  for (auto& decisions : offered) decisions.levels = request.levels;
  CompileRequest bounded = request;
  const bool by_cuts = !why_not_by_cuts(problem, request);
  if (!by_cuts) bounded.work_limit = std::min(bounded.work_limit, default_labels);
  auto outcome = by_cuts ? search_cuts(problem, request, offered, executor, stop, observer)
                         : enumerate_labels(problem, bounded, offered, stop, observer);
  // A limit that was reached together with the proof stopped nothing.
  if (outcome.best && outcome.bound >= outcome.objective) outcome.status = Status::optimal;
  return outcome;
}

}  // namespace nestor::chip
