// Random small machines, layers and mappings of the pim space, every mapping of a tiny case, and random
// access sequences over DRAM rows. A case is a pure function of its seed. This code is independent of the
// search.
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

namespace nestor::tests {

struct PimCase {
  LayerShape layer;
  pim::PimMachine machine;
};

/// Returns a layer of at most `most_macs` multiply-accumulates on a machine with three or four memories and
/// 1, 2 or 4 banks. Blocks are even or uneven, and both port modes occur.
PimCase random_pim_case(std::uint64_t seed, Int most_macs);

/// Calls visit(mapping) for each legal canonical mapping, with sequential layouts. Even blocks are built from
/// their definition, not checked. Returns false after more than `limit` attempts.
bool each_pim_mapping(const PimCase& tiny, std::uint64_t limit,
                      const std::function<void(const pim::PimMapping&)>& visit);

/// Draws a random legal mapping with random layouts. Returns false if all of a fixed number of attempts fail.
bool random_pim_mapping(const PimCase& small, std::uint64_t seed, pim::PimMapping& mapping);

struct RandomWalk {
  pim::RowWalk walk;
  pim::Layout layout;
  LayerShape layer;
  std::vector<Extents> contents;  ///< extents inside each loop, outermost first; the last entry is the tile
};
/// Returns an adversarial case: short and long rows, overlapping windows, strides, dilations, up to 64 banks.
RandomWalk random_row_walk(std::uint64_t seed, Int most_accesses);

/// Number of times that each branch of a formula occurred, for tests that must cover all of them.
using FeatureTally = std::map<std::string, int>;
void tally(const PimCase& small, const pim::PimMapping& mapping, FeatureTally& features);

}  // namespace nestor::tests
