// Figures of a result beside its programs and streams, computed a second time: the host's part of the time,
// the units that a map takes, and whole tiles on HBM-PIM (docs/models/cnm.md, "Systems", "Legality" and
// "Map"). Shares types with model/cnm and no formula.
#pragma once

#include <optional>
#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm::second {

/// In milliseconds.
struct HostFigures {
  double launch = 0, reduce = 0, transfer = 0;
  double sum() const { return launch + reduce + transfer; }
};
/// `partial`: results of which the host has more than one; bytes of the fullest rank.
HostFigures read_host(const System& system, Int tasklets, Int partial, Int bytes_in, Int bytes_out);
double milliseconds(const System& system, double cycles);

/// By level.
std::vector<Int> read_units(const CnmMap& map, const System& system);

/// Elements of all outputs.
Int read_results(const Kernel& kernel);

/// What the parts over channels make of the extents of a kernel that HBM-PIM runs.
struct ChannelFigures {
  std::vector<Int> padded;
  Int partial = 0;
};
ChannelFigures read_channels(const Kernel& kernel, const std::vector<Int>& parts, const System& system);

}  // namespace nestor::cnm::second
