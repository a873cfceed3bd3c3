#include "model/cnm/search/channel_maps.h"

#include <algorithm>

#include "model/cnm/estimate/pim_kernel.h"

namespace nestor::cnm {

std::vector<MemberCost> channel_maps(const Kernel& kernel, const System& system) {
  std::vector<MemberCost> members;
  const std::size_t dims = kernel.dim_count(), last = dims - 1;
  const auto kind = pim_kernel_of(kernel);
  if (!kind) return members;
  CnmMap map;
  map.tuples.assign(4, std::vector<Int>(dims, 1));
  map.tuples[1][0] = system.levels[1].size;
  map.tuples[2][last] = system.levels[2].size;
  std::vector<std::pair<std::vector<Int>, double>> known;  // tiles and partial results -> time
  const auto extend = [&](const auto& self, std::size_t dim, Int left) -> void {
    if (dim < dims) {
      for (Int c = 1; c <= left; ++c) {
        map.tuples[0][dim] = c;
        self(self, dim + 1, left / c);
      }
      return;
    }
    for (std::size_t d = 0; d < dims; ++d)
      map.tuples[3][d] =
          ceil_divide(kernel.extents[d], map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d]);
    const auto plan = plan_channels(kernel, map.tuples[0], system);
    if (!plan.plan) return;
    const std::vector<Int> key = {plan.plan->kernel.out_tiles, plan.plan->kernel.in_tiles,
                                  plan.plan->partial_results};
    const auto same = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == key; });
    if (same == known.end()) {
      const auto estimate = estimate_on_channels(kernel, {map}, system);
      known.emplace_back(key, estimate.refusal.empty() ? cost_of(estimate.time_ms) : no_cost);
      members.push_back({map, known.back().second});
    } else {
      members.push_back({map, same->second});
    }
  };
  if (dims <= 3) extend(extend, 0, system.levels[0].size);
  std::erase_if(members, [](const MemberCost& member) { return member.cost == no_cost; });
  std::sort(members.begin(), members.end(), [](const MemberCost& a, const MemberCost& b) {
    return a.cost != b.cost ? a.cost < b.cost : precedes(a.map, b.map);
  });
  return members;
}

}  // namespace nestor::cnm
