#include "mapper/cnm/map_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "mapper/cnm/map_cuts.h"
#include "mapper/cnm/one_map.h"
#include "model/cnm/search/no_map.h"
#include "solver/engine/parts.h"

namespace nestor::cnm {
namespace {

// By default, two maps are searched if they might save at least a fifth of the time.
constexpr double least_gain_unasked = 1.25;

MapResult map_channels(const Kernel& kernel, const System& system, const Library& library,
                       const MapRequest& request) {
  const auto begin = StopSource::Clock::now();
  StopSource stop(deadline_after(request.time_limit, begin));
  stop.watch(request.interrupted);
  MapResult result;
  result.kernel = kernel;
  result.searched = request.channel_space == ChannelSpace::library ? of_library_streams : of_general_streams;
  auto found = channel_maps(kernel, system, request.channel_space, 1, &stop);
  result.branches = found.cuts;
  result.work = found.expanded;
  result.estimates = found.estimates;
  result.refusal = std::move(found.refusal);
  if (found.stopped) result.status = stop.requested() ? stop.status() : Status::memory_limit;
  if (found.stopped) result.bound_ms = ms_of(std::max(0.0, found.bound));
  if (!found.members.empty()) {
    result.time_ms = ms_of(found.members.front().cost);
    result.mapping.push_back(std::move(found.members.front().map));
    if (found.stopped) result.bound_ms = std::min(result.bound_ms, result.time_ms);
  }
  if (!found.members.empty() && !found.stopped) {
    result.status = result.ties = Status::optimal;
    result.bound_ms = result.time_ms;
  }
  if (request.most_maps == 2 && result.refusal.empty())
    map_channel_cut(kernel, system, library, stop, result);
  if (result.mapping.empty() && result.status == Status::infeasible && result.refusal.empty())
    result.refusal = "no mapping of this kernel is legal on the system";
  result.seconds = seconds_since(begin);
  return result;
}

void take(MapResult& result, OneMapSearch::Outcome outcome) {
  result.status = outcome.status;
  result.bound_ms = ms_of(outcome.bound);
  result.ties = outcome.ties;
  result.proof = std::move(outcome.proof);
  result.refusal = std::move(outcome.refusal);
  result.mapping.clear();
  result.time_ms = 0;
  if (!outcome.map) return;
  result.time_ms = ms_of(outcome.cost);
  result.mapping.push_back(std::move(*outcome.map));
}

// Returns the allowed extents that can be halved most often, because these are likely to have good maps.
std::vector<Int> smooth_extents(const std::vector<Int>& extents, const std::vector<Int>& most) {
  std::vector<Int> smooth;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const auto from = static_cast<std::uint64_t>(extents[d]);
    std::uint64_t step = std::bit_floor(static_cast<std::uint64_t>(most[d]));
    while ((from + step - 1) / step * step > static_cast<std::uint64_t>(most[d])) step /= 2;
    smooth.push_back(static_cast<Int>((from + step - 1) / step * step));
  }
  return smooth;
}

// Searches all allowed extents, starting from the better of two known maps, one for the given extents and one
// for the smooth extents.
void map_padded(OneMapSearch& search, const Kernel& kernel, const std::vector<Int>& most, MapResult& result) {
  KnownMap known;
  const auto learn = [&](std::optional<CnmMap> map, double cost) {
    if (map && cost < known.cost) known = {cost, std::move(map)};
  };
  if (!result.mapping.empty()) learn(result.mapping.front(), cost_of(result.time_ms));
  Kernel smooth = kernel;
  smooth.extents = smooth_extents(kernel.extents, most);
  if (smooth.extents != kernel.extents) {
    auto outcome = search.run(smooth, {}, {known.cost, std::nullopt}, false);
    learn(std::move(outcome.map), outcome.cost);
  }
  take(result, search.run(kernel, most, known, true));
}

// Enlarges the operands of a kernel whose extents have grown, so that all accesses are in range.
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
  if (system.target == Target::hbm_pim) return map_channels(kernel, system, library, request);
  MapResult result;
  result.kernel = kernel;
  result.searched = of_one_map;
  StopSource stop(deadline_after(request.time_limit, begin));
  stop.watch(request.interrupted);
  if (auto fault = find_missing_slots(kernel, system); !fault.empty()) {
    result.refusal = std::move(fault);
    return result;
  }
  OneMapSearch search(system, library, request, stop);
  const auto most = grown_extents(kernel.extents, request.pad_percent);
  const bool grows = most != kernel.extents;
  // A kernel with an operand that cannot be transferred needs no search.
  if (find_unaligned_operand(kernel, system).empty()) {
    auto exact = search.run(kernel, {}, {}, !grows);
    result.first_ms = ms_of(exact.first_cost);
    take(result, std::move(exact));
  }
  if (grows) {
    result.searched = fmt::format("extents up to {:g} % larger, one map", request.pad_percent);
    map_padded(search, kernel, most, result);
  } else if (request.most_maps != 1 && !request.keep_proof && kernel.library_call.empty()) {
    map_cut(search, kernel, request.most_maps == 0 ? least_gain_unasked : 1, result);
  }
  if (result.status == Status::infeasible) result.refusal = why_no_map(kernel, system, library);
  if (!result.mapping.empty() && grows)
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      result.kernel.extents[d] = result.mapping.front().extent(d);
  hold_extents(result.kernel);
  search.add_counts(result);
  result.seconds = seconds_since(begin);
  return result;
}

}  // namespace nestor::cnm
