#include "mapper/cnm/one_map.h"

#include <algorithm>

#include "heuristics/cnm/priority_map.h"
#include "solver/engine/engine.h"
#include "solver/engine/parts.h"

namespace nestor::cnm {
namespace {

constexpr std::uint64_t first_seed = 1;
constexpr std::size_t of_no_branch = std::numeric_limits<std::size_t>::max();

// Chooses among maps whose costs the engine treats as equal because they are within its tolerance. Costs are
// whole picoseconds and are compared exactly: the least cost wins. Among maps of exactly equal cost, the
// first in the documented order wins. Returns false if stopped.
bool break_ties(MapSpace& space, const StopSignal& stop, double& cost, CnmMap& map) {
  bool found = false;
  for (const std::size_t branch : space.branches_by_preference()) {
    if (stop.requested()) return false;
    if (space.branch_bound(branch) > cost) continue;
    space.each_member(branch, cost, [&](const CnmMap& member, double exact) {
      if (found && exact >= cost) return !stop.requested();
      map = member;
      cost = exact;
      found = true;
      return !stop.requested();
    });
  }
  return !stop.requested();
}

}  // namespace

OneMapSearch::OneMapSearch(const System& system, const Library& library, const MapRequest& request,
                           StopSource& stop)
    : system_(system),
      library_(library),
      request_(request),
      stop_(stop),
      executor_(make_executor(request.executor, request.threads)) {}

void OneMapSearch::add_counts(MapResult& result) const {
  result.branches = branches_;
  result.work = work_;
  result.estimates = estimates_;
}

OneMapSearch::Outcome OneMapSearch::run(const Kernel& kernel, const std::vector<Int>& most,
                                        const KnownMap& known, bool settle) {
  Outcome found;
  MemoryBudget memory(request_.memory_bytes);
  MapSpace space(kernel, system_, library_, {SplitsKept::one_of_each, most, known.cost}, &memory, &stop_);
  if (!space.complete()) {
    found.status = stop_.requested() ? stop_.status() : Status::memory_limit;
    if (found.status == Status::memory_limit && !space.short_of_memory())
      found.refusal = "not enough memory for all ways to cut the dims";
    if (known.map) {
      found.map = known.map;
      found.cost = known.cost;
    }
    return found;
  }
  EngineOptions options;
  options.relative_gap = request_.gap;
  if (request_.work_limit > 0)
    options.work_limit = request_.work_limit > work_ ? request_.work_limit - work_ : 0;
  using Search = Engine<MapSpace>;
  std::vector<Search::Found> first;
  if (known.cost < no_cost) first.push_back({known.cost, of_no_branch, known.map.value_or(CnmMap{})});
  if (first.empty() && request_.first_by_priorities && kernel.library_call.empty())
    if (auto map = priority_map(kernel, system_.levels.size(), space.judge(), first_seed, stop_)) {
      found.first_cost = map->cost;
      first.push_back({map->cost, of_no_branch, std::move(map->map)});
    }
  PartOfWhole observer(request_.observer, {work_, known.cost});
  auto outcome = Search(space, *executor_, memory, options, stop_, &observer).run(std::move(first));
  branches_ += outcome.branches;
  work_ += outcome.counts.expanded;
  found.status = outcome.status;
  found.bound = std::max(0.0, outcome.bound);
  if (!outcome.best.empty() && !outcome.best.front().solution.tuples.empty()) {
    found.map = std::move(outcome.best.front().solution);
    found.cost = outcome.best.front().cost;
    if (settle && found.status == Status::optimal)
      found.ties = break_ties(space, stop_, found.cost, *found.map) ? Status::optimal : stop_.status();
    if (found.status == Status::optimal) found.bound = found.cost;
  }
  if (settle && request_.keep_proof && found.bound > 0) found.proof = space.forms_within(found.bound);
  estimates_ += space.estimates();
  return found;
}

}  // namespace nestor::cnm
