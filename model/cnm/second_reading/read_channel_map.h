// A general stream of HBM-PIM read a second time, step by step and burst by burst from the kernel and its map
// as "General streams" of docs/models/cnm.md has them: what nestor verify holds a result against. Shares
// types with model/cnm and no formula.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"
#include "model/cnm/stream.h"

namespace nestor::cnm::second {

struct ReadStreamOfMap {
  Stream stream;             ///< groups alone
  Int partial = 0;           ///< results that the host adds
  std::vector<Int> covered;  ///< extents
  std::string fault;         ///< a rule that the map breaks
  bool too_long = false;     ///< more groups than are allowed: the stream is not complete
};

/// Elements of the output that the map writes.
Int read_written(const Kernel& kernel, const CnmMap& map);

ReadStreamOfMap read_stream_of_map(const Kernel& kernel, const CnmMap& map, const System& system,
                                   Int most_groups);

}  // namespace nestor::cnm::second
