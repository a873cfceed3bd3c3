// Brute-force enumeration of all mappings of a small kernel, with their estimated times. Shares no code with
// the search.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "mapper/cnm/rank.h"
#include "random_kernels.h"
#include "solver/engine/stop_source.h"
#include "support/setting.h"

namespace nestor::cnm {

inline const Library no_library = [](const LibraryRequest&) { return std::optional<Listing>(); };

// Lists all ordered splits of `number` into `count` factors.
inline void factorisations(Int number, std::size_t count, std::vector<Int>& prefix,
                           std::vector<std::vector<Int>>& all) {
  if (count == 1) {
    prefix.push_back(number);
    all.push_back(prefix);
    prefix.pop_back();
    return;
  }
  for (Int f = 1; f <= number; ++f) {
    if (number % f != 0) continue;
    prefix.push_back(f);
    factorisations(number / f, count - 1, prefix, all);
    prefix.pop_back();
  }
}

struct Best {
  std::vector<std::pair<double, CnmMap>> members;
};

// True if `a` comes first: it has fewer DPUs, or equally many and fewer tasklets; the remaining ties are
// broken by the smaller tuples, block and order.
inline bool comes_first(const CnmMap& a, const CnmMap& b) {
  std::array<Int, 2> dpus = {1, 1}, tasklets = {1, 1};
  for (std::size_t d = 0; d < a.block.size(); ++d) {
    dpus[0] *= a.tuples[0][d] * a.tuples[1][d];
    dpus[1] *= b.tuples[0][d] * b.tuples[1][d];
    tasklets[0] *= a.tuples[2][d];
    tasklets[1] *= b.tuples[2][d];
  }
  return std::tie(dpus[0], tasklets[0], a.tuples, a.block, a.order) <
         std::tie(dpus[1], tasklets[1], b.tuples, b.block, b.order);
}

inline Best brute_force(const Kernel& kernel, const System& system) {
  const std::size_t dims = kernel.dim_count();
  std::vector<std::vector<std::vector<Int>>> ways(dims);  // rank, dpu, tasklet, step, block
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<Int> prefix;
    factorisations(kernel.extents[d], 5, prefix, ways[d]);
  }
  Best best;
  std::vector<std::size_t> at(dims, 0);
  const MapSpace space(kernel, system, no_library, {SplitsKept::all});
  while (true) {
    CnmMap map;
    map.tuples.assign(4, std::vector<Int>(dims, 1));
    map.block.assign(dims, 1);
    for (std::size_t d = 0; d < dims; ++d) {
      const auto& way = ways[d][at[d]];
      for (std::size_t l = 0; l < 3; ++l) map.tuples[l][d] = way[l];
      map.tuples[3][d] = way[3] * way[4];
      map.block[d] = way[4];
    }
    if (find_shape_fault(map, dims, system).empty()) {
      std::vector<std::size_t> order(dims);
      for (std::size_t d = 0; d < dims; ++d) order[d] = d;
      do {
        // Dims without loops come last, in ascending order, since their order has no effect.
        bool canonical = true;
        for (std::size_t i = 0; i + 1 < dims; ++i) {
          const bool idle = map.local()[order[i]] == 1, next_idle = map.local()[order[i + 1]] == 1;
          canonical &= !idle || (next_idle && order[i] < order[i + 1]);
        }
        if (!canonical) continue;
        map.order = order;
        const auto outcome = estimate_kernel(kernel, {map}, system, no_library);
        if (!outcome.refusal.empty()) continue;
        EXPECT_LE(space.block_bound(map), outcome.cycles * (1 + 1e-12)) << "a bound that does not hold";
        best.members.emplace_back(cost_of(outcome.time_ms), map);
      } while (std::next_permutation(order.begin(), order.end()));
    }
    std::size_t d = 0;
    while (d < dims && ++at[d] == ways[d].size()) at[d++] = 0;
    if (d == dims) break;
  }
  std::sort(best.members.begin(), best.members.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : comes_first(a.second, b.second);
  });
  return best;
}

inline Kernel elementwise(Int rows, Int columns) {
  Kernel kernel;
  kernel.name = "sum";
  kernel.extents = {rows, columns};
  kernel.reduction = {false, false};
  const AffineExpr i{{1, 0}, 0}, j{{0, 1}, 0};
  for (const char* name : {"a", "b", "c"})
    kernel.operands.push_back({name, Type::i32, {rows, columns}, {i, j}, name[0] == 'c', false});
  kernel.region = {{RegionStep::Kind::operation, Op::add, Type::i32, "addi", {0, 1}}};
  kernel.yields = {3};
  return kernel;
}

}  // namespace nestor::cnm
