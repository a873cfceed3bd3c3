// Independent construction of a general HBM-PIM stream, step by step and burst by burst, from the kernel and
// its map as defined in docs/models/cnm.md, "General streams". nestor verify compares results with this
// stream. It shares types with model/cnm, but no formula.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"
#include "model/cnm/stream.h"

namespace nestor::cnm::second {

struct ReadStreamOfMap {
  Stream stream;             ///< groups of bursts, without loops
  Int partial = 0;           ///< number of partial results that the host adds
  std::vector<Int> covered;  ///< padded extents
  std::string fault;         ///< a rule that the map breaks, or empty
  bool too_long = false;     ///< true if there are more groups than allowed; the stream is then incomplete
};

/// Returns the number of output elements that the map writes.
Int read_written(const Kernel& kernel, const CnmMap& map);

ReadStreamOfMap read_stream_of_map(const Kernel& kernel, const CnmMap& map, const System& system,
                                   Int most_groups);

}  // namespace nestor::cnm::second
