// A second reading of what a mapped kernel becomes (docs/models/cnm.md, "Lowering" and "Slots"): straight
// from the kernel and the map to the tree of slots and transfers, without the languages in between, and what
// the program takes of each memory and of the host. Shares types with model/cnm and no formula. `nestor
// verify` and the tests hold the lowering against it.
#pragma once

#include <string>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"
#include "model/cnm/program.h"

namespace nestor::cnm::second {

struct ReadMap {
  Program program;
  Int tasklets = 1;
  Int wram = 0, mram = 0, iram = 0;  ///< bytes
  Int partial_results = 0;           ///< for the host, beyond the first of each element
  Int written = 0;                   ///< results that the map writes
  Int rank_bytes_in = 0, rank_bytes_out = 0;
  std::string fault;  ///< a rule of the machine that is broken; empty if none
};

/// The map has block and order. Library calls are read by read_listing.h.
ReadMap read_map(const Kernel& kernel, const CnmMap& map, const System& system);

}  // namespace nestor::cnm::second
