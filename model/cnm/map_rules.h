// Properties of a map of a kernel: the bytes of its operands in a DPU, the sums that the host computes, its
// default block and order, and its listing.
#pragma once

#include "model/cnm/legality.h"
#include "model/cnm/lower.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Returns the bytes of the operands in a DPU, with data that tasklets share included once. Returns nothing
/// if the number is too large.
std::optional<Int> operand_bytes_in_dpu(const Kernel& kernel, const CnmMap& map);

/// Returns the number of partial results that the host adds, beyond the first of each element of the map.
Int partial_results(const Kernel& kernel, const CnmMap& map);
/// Returns the number of output elements that the map writes.
Int output_elements(const Kernel& kernel, const CnmMap& map);

/// Returns the number of partial results to add between maps: all results of all maps, minus one per element.
Int results_between_maps(const Kernel& kernel, const CnmMapping& mapping);

/// Returns the bytes into and out of the DPUs of a rank: operands that the program reads, and outputs. Block
/// and order may determine whether an output is read before it is written. Without them, the result is a
/// lower bound.
MovedBytes bytes_of_rank(const Kernel& kernel, const CnmMap& map, const System& system);

/// Returns the number of tasklets of a DPU.
inline Int tasklets_of(const CnmMap& map) { return map.parts(map.tuples.size() - 2); }

/// Adds the missing dims to the order, parallel dims before reduced dims, and the block if it is missing.
/// This block is 1 in all dims except the innermost one, in which it is the largest legal divisor of the
/// local extent.
CnmMap with_defaults(CnmMap map, const Kernel& kernel, const System& system);

/// Listing of one tasklet, and its legality on the machine. `fault` is the reason if the map is refused.
struct MapListing {
  Listing listing;
  Legality legality;
  std::string fault;
};
MapListing list_map(const Kernel& kernel, const CnmMap& map, const System& system);

}  // namespace nestor::cnm
