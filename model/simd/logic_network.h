// A netlist as a file describes it, before technology mapping. Every operator of the file has become
// XOR3/MAJ3 gates (an AND is MAJ3 with the constant 0, an OR with 1, a XOR of two has the constant 0), so
// that one type and one simulator serve both sides of the mapping; `already_mapped` says whether that changed
// anything.
#pragma once

#include "model/simd/netlist.h"

namespace nestor::simd {

struct LogicNetwork {
  Netlist netlist;
  /// Each function of the file was exactly one XOR3/MAJ3 (with constants), a copy or a constant. Such a
  /// netlist is scheduled as it is, one compute per node (docs/netlists.md, "Mapping to XOR3/MAJ3").
  bool already_mapped = true;
};

}  // namespace nestor::simd
