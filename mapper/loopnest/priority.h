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

constexpr std::uint64_t first_improvement = 40;  // units of work

/// A mapping known before the beam search begins, and its cost.
template <typename Solution>
struct KnownMapping {
  Solution mapping;
  double cost = 0;
};

/// Searches the space within the request's limits and adds counts and incumbents to `map`. `best`, if any, is
/// a known mapping, found with the work that `map` has counted. Before the beams begin, and each time that
/// the work has doubled, `improve(best, work)` may replace the best mapping by a better one and returns its
/// work, at most `work`. `spatial_of(mapping)` returns the spatial factors of a mapping. Returns the best
/// mapping, which the caller must check. Returns nothing if none was found; `map.status` is then the reason.
template <typename Map, typename Space, typename SpatialOf, typename Improve>
std::optional<KnownMapping<typename Space::Solution>> map_by_beams(
    Space& space, std::optional<KnownMapping<typename Space::Solution>> best, const NestRequest& request,
    const Resources& resources, const StopSource& stop, Resources::Clock::time_point begin,
    EngineObserver* observer, Map& map, SpatialOf spatial_of, Improve improve) {
  nest::BeamSearch<Space, HostStorage> search(
      space, HostStorage(resources.memory),
      {.work = request.work_limit, .seed = request.seed, .stop = &stop});
  const auto note = [&] {
    map.search.incumbents.push_back({seconds_since(begin), best->cost, static_cast<Int>(search.work())});
    if (observer != nullptr) observer->round_ended({best->cost, no_bound, search.work(), true});
  };
  const auto begin_with_best = [&] {
    search.accept_below(best->cost);
    if (const auto choice = nest::find_choice(space.choices(), spatial_of(best->mapping)))
      search.begin_with(*choice);
  };
  search.spend(map.search.counts.expanded);
  if (best) {
    begin_with_best();
    if (map.search.incumbents.empty()) note();
  }
  std::optional<nest::BeamEnd> end;
  for (std::uint64_t work = first_improvement; !end; work *= 2) {
    const double cost = best ? best->cost : no_cost;
    search.spend(improve(best, std::min(work / 2, request.work_limit - search.work())));
    if (best && best->cost < cost) {
      begin_with_best();
      note();
    }
    end = search.run(search.work() + work, [&](double better, const typename Space::Solution& mapping) {
      best = {.mapping = mapping, .cost = better};
      note();
    });
  }
  map.search.counts = search.counts();
  map.search.counts.expanded = search.work();
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
  if (*end == nest::BeamEnd::exhausted && complete)
    map.status = Status::infeasible;
  else if (*end == nest::BeamEnd::work)
    map.status = Status::work_limit;
  else
    map.status = stop.requested() ? stop.status() : Status::memory_limit;
  return best;
}

}  // namespace nestor::mapper
