#include "mapper/cnm/map_kernel.h"

#include <algorithm>
#include <chrono>

#include "heuristics/cnm/priority_map.h"
#include "model/cnm/search/channel_maps.h"
#include "model/cnm/search/grown_extents.h"
#include "solver/engine/engine.h"
#include "solver/engine/parts.h"

namespace nestor::cnm {
namespace {

constexpr std::uint64_t first_seed = 1;

// The engine takes costs closer than its tolerance for equal; here they are whole picoseconds. Of what is
// left, the least cost wins, and of equal ones the first in the documented order.
double break_ties(MapSpace& space, double cost, CnmMap& map) {
  double least = cost;
  bool found = false;
  for (const std::size_t branch : space.branches_by_preference()) {
    if (space.branch_bound(branch) > least) continue;
    space.each_member(branch, least, [&](const CnmMap& member, double exact) {
      if (found && exact >= least) return true;
      map = member;
      least = exact;
      found = true;
      return true;
    });
  }
  return least;
}

MapResult map_one(const Kernel& kernel, const System& system, const Library& library,
                  const MapRequest& request, StopSource& stop) {
  MapResult result;
  result.kernel = kernel;
  if (system.target == Target::hbm_pim) {
    const auto members = channel_maps(kernel, system);
    if (members.empty()) return result;
    result.status = Status::optimal;
    result.map = members.front().map;
    result.time_ms = result.bound_ms = ms_of(members.front().cost);
    result.branches = result.work = members.size();
    return result;
  }
  MemoryBudget memory(request.memory_bytes);
  MapSpace space(result.kernel, system, library, SplitsKept::one_of_each, &memory);
  if (!space.complete()) {
    result.status = Status::memory_limit;
    if (!space.short_of_memory()) result.refusal = "more ways to cut the dims than memory allows";
    return result;
  }
  const auto executor = make_executor(request.executor, request.threads);
  EngineOptions options;
  options.relative_gap = request.gap;
  if (request.work_limit > 0) options.work_limit = request.work_limit;
  Engine<MapSpace> engine(space, *executor, memory, options, stop, request.observer);
  std::vector<Engine<MapSpace>::Found> known;
  if (request.first_by_priorities && kernel.library_call.empty()) {
    constexpr std::size_t of_no_branch = std::numeric_limits<std::size_t>::max();
    if (auto first = priority_map(result.kernel, system.levels.size(), space.judge(), first_seed, stop)) {
      result.first_ms = ms_of(first->cost);
      known.push_back({first->cost, of_no_branch, std::move(first->map)});
    }
  }
  const auto outcome = engine.run(std::move(known));
  result.status = outcome.status;
  result.branches = outcome.branches;
  result.work = outcome.counts.expanded;
  result.bound_ms = ms_of(std::max(0.0, outcome.bound));
  if (!outcome.best.empty()) {
    result.map = outcome.best.front().solution;
    result.time_ms = ms_of(outcome.best.front().cost);
    if (outcome.status == Status::optimal) {
      const double least = break_ties(space, outcome.best.front().cost, result.map);
      result.time_ms = result.bound_ms = ms_of(least);
    }
  }
  if (request.keep_proof && result.bound_ms > 0) result.proof = space.forms_within(cost_of(result.bound_ms));
  result.estimates = space.estimates();
  return result;
}

// Operands of a kernel whose extents have grown have room for all that it reaches.
void hold_extents(Kernel& kernel) {
  for (KernelOperand& operand : kernel.operands)
    for (std::size_t i = 0; i < operand.map.size(); ++i) {
      Int last = operand.map[i].constant;
      for (std::size_t d = 0; d < kernel.dim_count(); ++d)
        last += operand.map[i].factors[d] * (kernel.extents[d] - 1);
      operand.dims[i] = std::max(operand.dims[i], last + 1);
    }
}

}  // namespace

MapResult map_kernel(const Kernel& kernel, const System& system, const Library& library,
                     const MapRequest& request) {
  const auto begin = StopSource::Clock::now();
  StopSource stop(deadline_after(request.time_limit, begin));
  stop.watch(request.interrupted);
  MapResult best;
  best.kernel = kernel;
  Proof proof;
  Kernel candidate = kernel;
  bool first = true, more = true;
  while (more) {
    MapResult result = map_one(candidate, system, library, request, stop);
    proof = merge_alternatives(proof, {result.status, result.bound_ms});
    const bool has = result.time_ms > 0;
    const bool better = has && (best.time_ms == 0 || result.time_ms < best.time_ms ||
                                (result.time_ms == best.time_ms && precedes(result.map, best.map)));
    result.branches += best.branches;
    result.work += best.work;
    result.estimates += best.estimates;
    if (first || better) {
      best = std::move(result);
    } else {
      best.branches = result.branches;
      best.work = result.work;
      best.estimates = result.estimates;
    }
    first = false;
    more = grow_extents(candidate, kernel, padding_of(system, request.pad));
    if (!more || (!is_cut_short(proof.status) && !stop.requested())) continue;
    // Nothing is known of extents that were not searched.
    proof = merge_alternatives(proof, {is_cut_short(proof.status) ? proof.status : stop.status(), 0});
    more = false;
  }
  hold_extents(best.kernel);
  best.status = proof.status;
  if (proof.status != Status::infeasible) best.bound_ms = proof.bound;
  best.seconds = seconds_since(begin);
  return best;
}

}  // namespace nestor::cnm
