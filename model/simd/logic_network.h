// A netlist as described in a file, before technology mapping. Every operator of the file is converted to
// XOR3/MAJ3 gates (an AND is a MAJ3 with the constant 0, an OR a MAJ3 with the constant 1, and an XOR of two
// operands an XOR3 with the constant 0). Therefore, one type and one simulator suffice for netlists before
// and after the mapping.
#pragma once

#include "model/simd/netlist.h"

namespace nestor::simd {

struct LogicNetwork {
  Netlist netlist;
  /// True if each function of the file was exactly one XOR3/MAJ3 (with constants), a copy or a constant. Such
  /// a netlist is scheduled unchanged, with one compute per node (docs/netlists.md, "Mapping to XOR3/MAJ3").
  bool already_mapped = true;
};

}  // namespace nestor::simd
