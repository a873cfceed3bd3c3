#include "mapper/pim/heuristic_map.h"

#include <algorithm>

#include "heuristics/pim/baselines.h"
#include "heuristics/pim/first_mapping.h"
#include "mapper/loopnest/priority.h"
#include "mapper/pim/choice_descent.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/pim/legality.h"
#include "model/pim/space/pim_space.h"

namespace nestor::mapper::pim {
namespace {

using nestor::pim::PimProblem;
using Clock = Resources::Clock;

constexpr nestor::pim::FirstMappingLimits first_limits{.tries = 1, .nests = 30};
constexpr std::uint64_t work_per_nest = 10;

// Finds mappings with which the beam search begins, and returns the work. `note` receives each better
// mapping, its cost and the work so far.
template <typename Note>
std::uint64_t construct(ChoiceDescent::Space& space, const PimRequest& request, const Resources& resources,
                        const StopSource& stop, Note note) {
  const bool descends = ChoiceDescent::supports(space);
  const std::uint64_t work = request.work_limit;
  std::uint64_t done = 0;
  double cost = no_cost;
  auto limits = first_limits;
  limits.nests = std::min(limits.nests, work / 2 / work_per_nest);
  limits.stop = &stop;
  const auto first = request.flexible  // first mappings use prime factors
                         ? std::nullopt
                         : nestor::pim::first_mapping(space.problem(), space.choices(), limits);
  if (first) {
    nestor::pim::RowCounter rows;
    const auto& problem = space.problem();
    const auto evaluation = nestor::pim::evaluate(problem.layer, problem.machine, first->mapping, rows);
    done = first->nests * work_per_nest;
    if (evaluation.latency_cycles <= problem.constraints.max_latency &&
        evaluation.energy_pj <= problem.constraints.max_additive) {
      cost = first->cost;
      note(first->mapping, cost, done);
    }
  }
  if (!descends) return done;
  return done + ChoiceDescent(space, resources.memory, stop)
                    .construct(cost, work - done,
                               [&](const ChoiceDescent::Solution& better, std::uint64_t descending) {
                                 note(better.solution, better.cost, done + descending);
                               });
}

}  // namespace

Fault check_mapping(const PimProblem& problem, const PimMapping& mapping, nestor::pim::RowCounter& rows,
                    MappedPimLayer& point) {
  point.shape = problem.layer;
  point.mapping = mapping;
  nestor::pim::normalise(point.mapping, problem.layer, problem.machine);
  if (nestor::pim::find_violation(problem.layer, problem.machine, point.mapping))
    return Fault::illegal_mapping;
  if (!satisfies_constraints(problem.constraints, problem.layer, problem.machine, mapping.nest))
    return Fault::broken_constraint;
  point.evaluation = nestor::pim::evaluate(problem.layer, problem.machine, point.mapping, rows);
  point.objective = nestor::pim::objective_value(problem.objective, point.evaluation);
  return Fault::none;
}

PimLayerMap map_by_baseline(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                            const PimRequest& request, const Resources& resources) {
  const auto begin = Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const PimProblem problem = problem_of(layer, machine, request);
  const auto space = nestor::pim::make_space<HostStorage>(
      problem, nestor::pim::RulesOf([&](std::size_t /*bytes*/) { return !stop.requested(); }));
  PimLayerMap map;
  map.heuristic = true;
  map.search.branches = space->branch_count();
  if (const auto found = nestor::pim::baseline(space->problem(), space->choices(), request.method,
                                               request.seed, request.samples, &stop)) {
    nestor::pim::RowCounter rows;
    map.best.push_back({.shape = layer,
                        .mapping = found->mapping,
                        .evaluation = nestor::pim::evaluate(layer, machine, found->mapping, rows),
                        .objective = found->cost});
    nestor::pim::normalise(map.best.front().mapping, layer, machine);
    if (nestor::pim::find_violation(layer, machine, map.best.front().mapping))
      map.fail(Fault::illegal_mapping);
  }
  map.search.seconds = seconds_since(begin);
  return map;
}

PimLayerMap map_by_priority(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                            const PimRequest& request, const Resources& resources, EngineObserver* observer) {
  const auto begin = Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto space = nestor::pim::make_space<HostStorage>(
      problem_of(layer, machine, request), nestor::pim::RulesOf([&](std::size_t bytes) {
        return !stop.requested() && bytes < resources.memory.limit() / 4;
      }));
  PimLayerMap map;
  std::optional<KnownMapping<PimMapping>> known;
  const auto note = [&](const PimMapping& mapping, double cost, std::uint64_t work) {
    known = {.mapping = mapping, .cost = cost};
    map.search.incumbents.push_back({seconds_since(begin), cost, static_cast<Int>(work)});
    if (observer != nullptr) observer->round_ended({cost, no_bound, work, true});
  };
  map.search.counts.expanded = construct(*space, request, resources, stop, note);
  const auto best = map_by_beams(
      *space, known, request, resources, stop, begin, observer, map,
      [](const PimMapping& mapping) -> const SpatialFactors& { return mapping.nest.spatial; },
      [](const auto& /*best*/, std::uint64_t /*work*/) -> std::uint64_t { return 0; });
  if (best) {
    auto& point = map.best.emplace_back();
    nestor::pim::RowCounter rows;
    map.fail(check_mapping(space->problem(), best->mapping, rows, point));
    if (!costs_agree(best->cost, point.objective)) map.fail(Fault::wrong_cost);
    map.bound = map.status == Status::optimal ? point.objective : std::min(*map.bound, point.objective);
  }
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper::pim
