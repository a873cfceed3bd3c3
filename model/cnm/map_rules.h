// A map on a kernel: what it makes of the operands in a DPU, what the host adds up, and what is left to
// default filled in.
#pragma once

#include "model/cnm/legality.h"
#include "model/cnm/lower.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Bytes of the operands in a DPU, what tasklets share once; nothing if too many to count.
std::optional<Int> operand_bytes_in_dpu(const Kernel& kernel, const CnmMap& map);

/// Partial results that the host adds up beyond the first of each element of the map.
Int partial_results(const Kernel& kernel, const CnmMap& map);
/// Elements of all outputs that the map writes.
Int output_elements(const Kernel& kernel, const CnmMap& map);

/// Partial results between maps: those that all maps write beyond one for each element.
Int results_between_maps(const Kernel& kernel, const CnmMapping& mapping);

/// Bytes into and out of the DPUs of a rank: what the program reads, and outputs. Whether an output is read
/// before it is written may depend on block and order; without them, from below.
MovedBytes bytes_of_rank(const Kernel& kernel, const CnmMap& map, const System& system);

/// Tasklets of a DPU.
inline Int tasklets_of(const CnmMap& map) { return map.parts(map.tuples.size() - 2); }

/// Block and order where they were left to default. The order: parallel dims first, then those summed over.
/// The block: 1 for every dim but the innermost, there the largest divisor of the local extent that is legal.
CnmMap with_defaults(CnmMap map, const Kernel& kernel, const System& system);

/// The listing of one tasklet and whether the machine takes it. `fault` says what it refuses.
struct MapListing {
  Listing listing;
  Legality legality;
  std::string fault;
};
MapListing list_map(const Kernel& kernel, const CnmMap& map, const System& system);

}  // namespace nestor::cnm
