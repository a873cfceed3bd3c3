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

constexpr std::uint64_t slice = 4096;  // labels between two looks at the limits

// Runs to the end or a limit.
Status run(cim::EmbeddedMapper& mapper, const Request& request, const StopSource& stop,
           EngineObserver* observer) {
  while (mapper.nodes() < request.work_limit) {
    if (mapper.step(std::min(slice, request.work_limit - mapper.nodes()), &stop)) return mapper.status();
    if (stop.requested()) return stop.status();
    if (observer != nullptr) observer->round_ended({mapper.cost(), mapper.bound(), mapper.nodes()});
  }
  return mapper.ended() ? mapper.status() : Status::work_limit;
}

}  // namespace

LayerMap map_embedded(const LayerShape& layer, const Architecture& machine, const Request& request,
                      const Resources& resources, EngineObserver* observer) {
  const auto begin = Resources::Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  const auto problem = problem_of(layer, machine, request);
  std::vector<std::byte> workspace(*request.embedded_workspace);
  cim::EmbeddedMapper mapper(problem, workspace);

  LayerMap map;
  map.status = run(mapper, request, stop, observer);
  map.search.counts.expanded = mapper.nodes();
  if (mapper.found()) {
    auto& best = map.best.emplace_back();
    map.fault = check(problem, mapper.mapping(), best);
    if (map.fault == Fault::none && !costs_agree(mapper.cost(), best.objective))
      map.fault = Fault::wrong_cost;
  }
  // The search and the evaluator differ in the last bits.
  if (map.status == Status::optimal)
    map.bound = map.best.front().objective;
  else if (std::isfinite(mapper.bound()))
    map.bound = map.best.empty() ? mapper.bound() : std::min(mapper.bound(), map.best.front().objective);
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
