// Random small machines, layers and mappings of the pim space, every mapping of a tiny case one by one, and
// random walks over DRAM rows. A case is a pure function of its seed. Nothing here is shared with the search.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"
#include "model/pim/rows/row_walk.h"

namespace nestor::testing {

struct PimCase {
  LayerShape layer;
  pim::PimMachine machine;
};

/// Layers of few steps on machines of three to four memories; even and uneven blocks, both port modes, 1, 2
/// or 4 banks.
PimCase random_pim_case(std::uint64_t seed, Int most_macs);

/// Calls visit(mapping) for each legal mapping, layouts left sequential; false once more than `limit` were
/// tried.
bool each_pim_mapping(const PimCase& tiny, std::uint64_t limit,
                      const std::function<void(const pim::PimMapping&)>& visit);

/// A random legal mapping with random layouts, if some tries find one.
bool random_pim_mapping(const PimCase& small, std::uint64_t seed, pim::PimMapping& mapping);

struct RandomWalk {
  pim::RowWalk walk;
  pim::Layout layout;
  LayerShape layer;
  std::vector<Extents> contents;  ///< indices inside each loop, outermost first; last, those of the tile
};
/// Adversarial: short and long rows, overlapping windows, strides, dilations, up to 64 banks.
RandomWalk random_row_walk(std::uint64_t seed, Int most_accesses);

/// How often what a formula branches on was met, for tests that must have met it.
using FeatureTally = std::map<std::string, int>;
void tally(const PimCase& small, const pim::PimMapping& mapping, FeatureTally& features);

}  // namespace nestor::testing
