#include "mapper/cim/priority.h"

#include <algorithm>

#include "heuristics/cim/greedy_nest.h"
#include "heuristics/cim/nest_climber.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"
#include "mapper/loopnest/priority.h"
#include "model/cim/space/cim_space.h"

namespace nestor::mapper {
namespace {

using Known = KnownMapping<Mapping>;

// Hill climbing from the initial mapping often leads the beams to a good spatial choice. At most most_looks
// mappings are evaluated, in portions. A stop takes effect only between portions, like a lower limit on the
// number of mappings.
constexpr std::uint64_t most_looks = 1000;
constexpr std::uint64_t portion = 50;

std::uint64_t climb(const cim::CimProblem& problem, const CimRequest& request, const StopSource& stop,
                    std::optional<Known>& best) {
  if (!cim::NestMoves::apply_to(problem)) return 0;
  cim::NestClimber climber(problem);
  Mapping mapping;
  Cost cost = no_cost;
  if (best) mapping = best->mapping;
  if (best) cost = best->cost;
  climber.start(best ? &best->mapping : nullptr);
  std::uint64_t looked = 0;
  const std::uint64_t most = std::min(most_looks, request.work_limit);
  while (looked < most && !climber.ended() && !stop.requested()) {
    Slice slice(std::numeric_limits<std::uint64_t>::max());
    looked += climber.climb(std::min(portion, most - looked), slice, mapping, cost);
  }
  if (cost < no_cost) best = {mapping, cost};
  return looked;
}

}  // namespace

CimLayerMap map_by_priority(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources, EngineObserver* observer) {
  const auto begin = Resources::Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto problem = problem_of(layer, machine, request);
  std::optional<Known> first;
  if (const auto greedy = cim::greedy_nest(problem, request.seed)) first = {greedy->mapping, greedy->cost};
  CimLayerMap map;
  map.search.counts.expanded = climb(problem, request, stop, first);
  // For energy alone, bounds are tighter if loops are placed from the outermost memories inward.
  const auto direction =
      cim::InwardBranch::answers(problem) ? cim::Direction::inward : cim::Direction::outward;
  MemoryCharge charge(resources.memory);
  const auto space = cim::make_space<HostStorage>(problem, direction, cim::RulesOf([&](std::size_t bytes) {
                                                    return !stop.requested() && charge.raise_to(bytes);
                                                  }));
  const auto best = map_by_beams(*space, first, first ? &first->mapping.spatial : nullptr, request, resources,
                                 stop, begin, observer, map);
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
