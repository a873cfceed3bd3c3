// A compute-in-memory machine (docs/models/cim.md, section 2): a hierarchy above an array that computes one
// matrix-vector product (MVM) at a time. The evaluator and the independent checker of the cim model share
// this type.
#pragma once

#include "model/loopnest/hierarchy.h"

namespace nestor {

struct Architecture : Hierarchy {
  Int mvm_cycles = 1;
  Cost mac_energy = 0;  ///< pJ per multiply-accumulate
  Cost leakage = 0;     ///< pJ per cycle
  double clock = 0;     ///< Hz; 0 when not given

  friend constexpr bool operator==(const Architecture&, const Architecture&) = default;
};

}  // namespace nestor
