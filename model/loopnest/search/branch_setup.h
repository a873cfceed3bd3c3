// Outcome of preparing a branch for its search.
#pragma once

#include <cstdint>

namespace nestor {

enum class BranchSetup : std::uint8_t {
  ready,
  infeasible,     ///< the branch contains no mapping
  out_of_memory,  ///< the arena is too small
  too_large,      ///< more shared memories than a label can track
};

}  // namespace nestor
