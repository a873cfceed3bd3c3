#include "mapper/cim/map_embedded.h"

#include <algorithm>
#include <cmath>

#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"
#include "mapper/embedded/embedded_mapper.h"
#include "solver/engine/engine.h"
#include "solver/engine/stop_source.h"

namespace nestor::mapper {
namespace {

constexpr std::uint64_t slice = 1 << 20U;  // units of work between two checks of the limits

// Runs the mapper to its end or to a limit, and returns the status.
Status run(cim::EmbeddedMapper& mapper, const CimRequest& request, const StopSource& stop,
           EngineObserver* observer) {
  while (mapper.nodes() < request.work_limit) {
    if (mapper.step(slice, &stop, request.work_limit)) return mapper.status();
    if (stop.requested()) return stop.status();
    if (observer != nullptr) observer->round_ended({mapper.cost(), mapper.bound(), mapper.nodes()});
  }
  return mapper.ended() ? mapper.status() : Status::work_limit;
}

// Stored state of a finished search; intermediate states are not stored.
struct Ending {
  Status status = Status::infeasible;
  std::uint64_t nodes = 0;
  bool found = false;
  double cost = no_cost;
  double bound = no_cost;
  Mapping mapping;
};

Ending search(const cim::CimProblem& problem, const CimRequest& request, const StopSource& stop,
              EngineObserver* observer) {
  Ending ending;
  StateKeeper* const keeper = observer != nullptr ? observer->states() : nullptr;
  const auto read = [&](StateReader& state) {
    return state.values(ending) && is_final(ending.status) && is_whole(ending.mapping);
  };
  if (keeper != nullptr && keeper->begin(read)) return ending;
  std::vector<std::byte> workspace(*request.embedded_workspace);
  cim::EmbeddedMapper mapper(problem, workspace);
  ending = {.status = run(mapper, request, stop, observer),
            .nodes = mapper.nodes(),
            .found = mapper.found(),
            .cost = mapper.cost(),
            .bound = mapper.bound(),
            .mapping = mapper.found() ? mapper.mapping() : Mapping{}};
  // With a higher work limit, the search may find a better mapping, so the result at a work limit is not
  // stored.
  if (keeper != nullptr && is_final(ending.status) && ending.status != Status::work_limit)
    keeper->keep([&](StateWriter& state) { return state.values(ending); });
  return ending;
}

}  // namespace

CimLayerMap map_embedded(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                         const Resources& resources, EngineObserver* observer) {
  const auto begin = Resources::Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto problem = problem_of(layer, machine, request);
  const Ending ending = search(problem, request, stop, observer);

  CimLayerMap map;
  map.status = ending.status;
  map.search.counts.expanded = ending.nodes;
  if (ending.found) {
    auto& best = map.best.emplace_back();
    map.fault = check_found(problem, ending.mapping, ending.cost, best);
  }
  // The search's cost may differ from the evaluator's in the last bits; the bound must not exceed the
  // evaluator's.
  if (map.status == Status::optimal && !map.best.empty())
    map.bound = map.best.front().objective;
  else if (std::isfinite(ending.bound))
    map.bound = map.best.empty() ? ending.bound : std::min(ending.bound, map.best.front().objective);
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
