// Technology mapping to XOR3/MAJ3 (docs/netlists.md, "Mapping to XOR3/MAJ3"). By default, a netlist of
// XOR3/MAJ3 gates is not changed; any other netlist is covered with cuts of three leaves so that few gates
// remain. A full adder in any form becomes one xor3 and one maj3.
#pragma once

#include <cstdint>

#include "model/simd/logic_network.h"

namespace nestor::simd {

enum class MapPolicy : std::uint8_t {
  when_needed,  ///< only if the netlist has other gates
  always,
};

struct MapReport {
  std::uint64_t gates_before = 0;
  std::uint64_t gates_after = 0;
  bool restructured = false;
};

struct MappedNetlist {
  Netlist netlist;
  MapReport report;
};

MappedNetlist map_to_xmg(LogicNetwork network, MapPolicy policy = MapPolicy::when_needed);

}  // namespace nestor::simd
