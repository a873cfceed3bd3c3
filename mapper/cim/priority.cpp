#include "mapper/cim/priority.h"

#include <algorithm>

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/check.h"
#include "mapper/cim/incumbents.h"
#include "mapper/cim/setup.h"
#include "mapper/loopnest/priority.h"
#include "model/cim/space/cim_space.h"

namespace nestor::mapper {
namespace {

using Known = KnownMapping<Mapping>;

constexpr std::uint64_t before_choices = 100;  // units of work

}  // namespace

CimLayerMap map_by_priority(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources, EngineObserver* observer) {
  const auto begin = Resources::Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto problem = problem_of(layer, machine, request);
  CimLayerMap map;
  std::optional<Known> first;
  const auto note = [&] {
    const auto work = map.search.counts.expanded;
    map.search.incumbents.push_back({seconds_since(begin), first->cost, static_cast<Int>(work)});
    if (observer != nullptr) observer->round_ended({first->cost, no_bound, work, true});
  };
  const bool improves = anneals(problem);
  // A stopped run leaves out what it was annealing, so that its work as a limit reproduces it.
  const auto improve = [&](std::optional<Known>& best, std::uint64_t work) -> std::uint64_t {
    if (!best || !improves) return 0;
    Known better = *best;
    anneal(problem, work, request.seed + work, stop, better.mapping, better.cost);
    if (stop.requested()) return 0;
    best = better;
    return work;
  };
  if (const auto greedy = cim::greedy_nest(problem, request.seed)) {
    first = {greedy->mapping, greedy->cost};
    note();
    // Listing the choices takes longer than this.
    map.search.counts.expanded = improve(first, std::min(before_choices, request.work_limit));
    if (first->cost < greedy->cost) note();
  }
  // For energy alone, bounds are tighter if loops are placed from the outermost memories inward.
  const auto direction =
      cim::InwardBranch::answers(problem) ? cim::Direction::inward : cim::Direction::outward;
  MemoryCharge charge(resources.memory);
  const auto space = cim::make_space<HostStorage>(problem, direction, cim::RulesOf([&](std::size_t bytes) {
                                                    return !stop.requested() && charge.raise_to(bytes);
                                                  }));
  const auto best = map_by_beams(
      *space, first, request, resources, stop, begin, observer, map,
      [](const Mapping& mapping) -> const SpatialFactors& { return mapping.spatial; }, improve);
  if (best) {
    map.fail(check_found(problem, best->mapping, best->cost, map.best.emplace_back()));
    // The search's cost may differ from the evaluator's in the last bits; the bound must not exceed the
    // evaluator's.
    const double objective = map.best.front().objective;
    map.bound = map.status == Status::optimal ? objective : std::min(*map.bound, objective);
  }
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
