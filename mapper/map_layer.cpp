#include "mapper/map_layer.h"

#include <cmath>

#include "heuristics/cim/greedy_nest.h"
#include "model/cim/legality.h"
#include "model/cim_space/cim_space.h"
#include "solver/host/engine.h"

namespace nestor::mapper {
namespace {

using Space = cim::CimSpace<HostStorage>;
using CimEngine = Engine<Space>;
using Clock = Resources::Clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::optional<Clock::time_point> deadline_of(const Request& request, const Resources& resources,
                                             Clock::time_point begin) {
  auto deadline = resources.deadline;
  if (std::isfinite(request.layer_seconds)) {
    const auto own = begin + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(request.layer_seconds));
    deadline = deadline ? std::min(*deadline, own) : own;
  }
  return deadline;
}

// Notes when each incumbent came, and passes progress on.
class Watch final : public EngineObserver {
 public:
  Watch(SearchReport& report, LayerObserver* observer, Clock::time_point begin)
      : report_(report), observer_(observer), begin_(begin) {}

  void round_ended(const EngineProgress& progress) override {
    if (progress.improved) report_.incumbents.push_back({seconds_since(begin_), progress.incumbent});
    if (observer_ != nullptr) observer_->progressed({progress.incumbent, progress.bound, progress.work});
  }

 private:
  SearchReport& report_;
  LayerObserver* observer_;
  Clock::time_point begin_;
};

bool agree(double claimed, double real) {
  return std::abs(claimed - real) <= cost_tolerance * std::max(std::abs(claimed), std::abs(real));
}

// Legality and cost by the code that `evaluate` uses, which knows nothing of the search.
Fault check(const cim::Problem& problem, const CimEngine::Found& found, MappedLayer& mapped) {
  mapped.shape = problem.layer;
  mapped.mapping = found.solution;
  if (cim::find_violation(problem.layer, problem.machine, found.solution)) return Fault::illegal_mapping;
  mapped.evaluation = cim::evaluate(problem.layer, problem.machine, found.solution);
  mapped.objective = cim::objective_value(problem.objective, mapped.evaluation, problem.machine);
  return agree(found.cost, mapped.objective) ? Fault::none : Fault::wrong_cost;
}

std::optional<CimEngine::Found> first_incumbent(const cim::Problem& problem, std::uint64_t seed) {
  const auto greedy = cim::greedy_nest(problem, seed);
  if (!greedy) return std::nullopt;
  constexpr auto no_branch = std::numeric_limits<std::size_t>::max();
  return CimEngine::Found{greedy->cost, no_branch, greedy->mapping};
}

void take_over(const cim::Problem& problem, const CimEngine::Outcome& outcome, LayerMap& map) {
  map.status = outcome.status;
  map.search.counts = outcome.counts;
  map.search.branches = outcome.branches;
  map.search.branches_opened = outcome.branches_opened;
  map.search.rounds = outcome.rounds;
  for (const auto& found : outcome.best) {
    const Fault fault = check(problem, found, map.best.emplace_back());
    if (map.fault == Fault::none) map.fault = fault;
  }
  // eq14 starts from the most negative number, which says nothing.
  if (std::abs(outcome.bound) < std::numeric_limits<double>::max()) map.bound = outcome.bound;
  // The two readings differ in the last bits.
  if (map.bound && !map.best.empty())
    map.bound = outcome.status == Status::optimal ? map.best.front().objective
                                                  : std::min(*map.bound, map.best.front().objective);
}

}  // namespace

std::optional<double> LayerMap::gap() const {
  if (!bound || best.empty()) return std::nullopt;
  const double objective = best.front().objective;
  return objective == *bound ? 0 : (objective - *bound) / std::abs(objective);
}

LayerMap map_layer(const LayerShape& layer, const Architecture& machine, const Request& request,
                   const Resources& resources, LayerObserver* observer) {
  const auto begin = Clock::now();
  StopSource stop(deadline_of(request, resources, begin));
  if (resources.interrupted != nullptr) stop.watch(resources.interrupted);

  LayerMap map;
  auto problem = cim::make_problem(layer, machine, request.objective);
  problem.constraints = request.constraints;
  Space space(std::move(problem));
  Watch watch(map.search, observer, begin);
  EngineOptions options;
  options.work_limit = request.work_limit;
  options.relative_gap = request.relative_gap;
  options.keep_best = request.top;
  CimEngine engine(space, resources.executor, resources.memory, options, stop, &watch);
  const auto first = first_incumbent(space.problem(), request.seed);
  // Of several unrollings there is one per spatial choice, and the engine cannot tell that of a seed.
  const bool seeds = first && request.top == 1;
  if (seeds) map.search.incumbents.push_back({seconds_since(begin), first->cost});
  auto outcome = engine.run(seeds ? first : std::nullopt);
  if (first && outcome.status == Status::infeasible) map.fault = Fault::missed_mapping;
  if (first && outcome.best.empty()) outcome.best.push_back(*first);
  take_over(space.problem(), outcome, map);
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
