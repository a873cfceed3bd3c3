// Independent computation of a result's figures other than programs and streams: the host's share of the
// time, the units of a map, and whole tiles on HBM-PIM (docs/models/cnm.md, "Systems", "Legality" and "Map").
// It shares types with model/cnm, but no formula.
#pragma once

#include <optional>
#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm::second {

/// Host times in milliseconds.
struct HostFigures {
  double launch = 0, reduce = 0, transfer = 0;
  double sum() const { return launch + reduce + transfer; }
};
/// Returns the host times. `partial` is the number of partial results beyond the first of each element.
/// `bytes_in` and `bytes_out` are those of the rank with the most bytes.
HostFigures read_host(const System& system, Int tasklets, Int partial, Int bytes_in, Int bytes_out);
double milliseconds(const System& system, double cycles);

/// Returns the number of units that the map uses, by level.
std::vector<Int> read_units(const CnmMap& map, const System& system);

/// Returns the number of elements of all outputs.
Int read_results(const Kernel& kernel);

/// Extents of a kernel on HBM-PIM, padded for the split over channels, and the number of partial results
/// beyond the first of each element.
struct ChannelFigures {
  std::vector<Int> padded;
  Int partial = 0;
};
ChannelFigures read_channels(const Kernel& kernel, const std::vector<Int>& parts, const System& system);

}  // namespace nestor::cnm::second
