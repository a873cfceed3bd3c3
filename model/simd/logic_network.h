// A netlist as described in a file, before technology mapping. Every operator of the file is converted to
// XOR3/MAJ3 gates (an AND is MAJ3 with the constant 0, an OR with 1; a XOR of two has the constant 0). One
// type and one simulator thus serve both sides of the mapping. `already_mapped` is false if the conversion
// changed anything.
#pragma once

#include "model/simd/netlist.h"

namespace nestor::simd {

struct LogicNetwork {
  Netlist netlist;
  /// True if each function of the file was exactly one XOR3/MAJ3 (with constants), a copy or a constant. Such
  /// a netlist is scheduled unchanged, one compute per node (docs/netlists.md, "Mapping to XOR3/MAJ3").
  bool already_mapped = true;
};

}  // namespace nestor::simd
