// The method `--method priority` of every loop-nest space: beam search over spatial choices
// (heuristics/nest/beam_search.h) instead of the exact search. The choices that it leaves open give a lower
// bound.
#pragma once

#include <algorithm>
#include <optional>

#include "heuristics/nest/beam_search.h"
#include "mapper/loopnest/layer_map.h"
#include "mapper/loopnest/request.h"
#include "mapper/loopnest/resources.h"
#include "model/loopnest/space/choice_bounds.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

/// A mapping known before the beam search begins, and its cost.
template <typename Solution>
struct KnownMapping {
  Solution mapping;
  double cost = 0;
};

/// Searches the space within the request's limits, minus the work that `map` has spent, and adds counts and
/// incumbents to `map`. `best`, if any, is a known mapping with the spatial factors `spatial`. Returns the
/// best mapping, which the caller must check. Returns nothing if none was found; `map.status` is then the
/// reason.
template <typename Map, typename Space>
std::optional<KnownMapping<typename Space::Solution>> map_by_beams(
    Space& space, std::optional<KnownMapping<typename Space::Solution>> best, const SpatialFactors* spatial,
    const NestRequest& request, const Resources& resources, const StopSource& stop,
    Resources::Clock::time_point begin, EngineObserver* observer, Map& map) {
  const std::uint64_t spent = map.search.counts.expanded;
  nest::BeamSearch<Space, HostStorage> search(
      space, HostStorage(resources.memory),
      {.work = request.work_limit - spent, .seed = request.seed, .stop = &stop});
  const auto note = [&](double cost, std::uint64_t work) {
    map.search.incumbents.push_back({seconds_since(begin), cost, static_cast<Int>(work)});
    if (observer != nullptr) observer->round_ended({cost, no_bound, work, true});
  };
  if (best) {
    search.accept_below(best->cost);
    if (const auto choice = nest::find_choice(space.choices(), *spatial)) search.begin_with(*choice);
    if (map.search.incumbents.empty()) note(best->cost, spent);
  }
  const auto end = search.run([&](double cost, const typename Space::Solution& mapping) {
    best = {.mapping = mapping, .cost = cost};
    note(cost, spent + search.work());
  });
  map.search.counts = search.counts();
  map.search.counts.expanded = spent + search.work();
  map.search.branches = space.branch_count();
  map.search.branches_opened = search.opened();

  const bool complete = space.choices().complete();
  const double bound = complete ? search.least_open() : bound_of_all(space.problem());
  if (best) {
    const bool proved = bound >= slightly_below(best->cost);
    map.bound = proved ? best->cost : std::min(bound, best->cost);
    map.status = proved ? Status::optimal : stop.interrupted() ? Status::interrupted : Status::heuristic;
    return best;
  }
  map.bound = bound;
  if (end == nest::BeamEnd::exhausted && complete)
    map.status = Status::infeasible;
  else if (end == nest::BeamEnd::work)
    map.status = Status::work_limit;
  else
    map.status = stop.requested() ? stop.status() : Status::memory_limit;
  return best;
}

}  // namespace nestor::mapper
