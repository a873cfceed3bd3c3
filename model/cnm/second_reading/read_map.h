// Independent lowering of a mapped kernel (docs/models/cnm.md, "Lowering" and "Slots"). It builds the tree of
// slots and transfers directly from the kernel and the map, without intermediate languages. It also computes
// the program's use of each memory and of the host. It shares types with model/cnm, but no formula. `nestor
// verify` and the tests compare the lowering of model/cnm with it.
#pragma once

#include <string>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"
#include "model/cnm/program.h"

namespace nestor::cnm::second {

struct ReadMap {
  Program program;
  Int tasklets = 1;
  Int wram = 0, mram = 0, iram = 0;  ///< bytes used in each memory
  /// Number of partial results for the host, beyond the first of each element.
  Int partial_results = 0;
  Int written = 0;  ///< number of results that the map writes
  Int rank_bytes_in = 0, rank_bytes_out = 0;
  std::string fault;  ///< a broken rule of the machine, or empty
};

/// Lowers a map with block and order. For library calls, see read_listing.h.
ReadMap read_map(const Kernel& kernel, const CnmMap& map, const System& system);

}  // namespace nestor::cnm::second
