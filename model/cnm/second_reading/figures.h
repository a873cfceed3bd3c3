// Independent computation of a result's figures other than programs and streams: the host's part of the time,
// the units of a map, and whole tiles on HBM-PIM (docs/models/cnm.md, "Systems", "Legality" and "Map"). It
// shares types with model/cnm, but no formula.
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
/// `partial` counts the partial results beyond the first of each element; bytes are those of the fullest
/// rank.
HostFigures read_host(const System& system, Int tasklets, Int partial, Int bytes_in, Int bytes_out);
double milliseconds(const System& system, double cycles);

/// By level.
std::vector<Int> read_units(const CnmMap& map, const System& system);

/// Returns the elements of all outputs.
Int read_results(const Kernel& kernel);

/// Extents of a kernel on HBM-PIM after padding to the parts over channels.
struct ChannelFigures {
  std::vector<Int> padded;
  Int partial = 0;
};
ChannelFigures read_channels(const Kernel& kernel, const std::vector<Int>& parts, const System& system);

}  // namespace nestor::cnm::second
