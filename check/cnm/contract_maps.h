// The maps of a kernel as a result states them, and the entries of their figures, for the contracts of both
// targets.
#pragma once

#include "check/cnm/contract.h"
#include "check/cnm/model.h"

namespace nestor::check::cnm {

/// A map with any number of units, in contrast to mappings of the search space.
struct StatedMap {
  std::string name;
  std::vector<Tuple> tuples;  ///< numbers of parts of each level, then the iterations of one unit
  Tuple block, order;         ///< may be empty
  const Json* json = nullptr;
  Tuple extents() const;
  std::string label() const { return "map " + harmless(name) + ": "; }
};

std::vector<StatedMap> read_maps(const Json& maps, std::size_t dims, const Json& levels, Int units_per_block);
/// Returns the parts of each dim over the first levels.
Tuple parts_of(const StatedMap& map, std::size_t levels);
/// Throws Unreadable if the map has one of the keys.
void refuse_keys(const StatedMap& map, std::initializer_list<const char*> keys);

/// Sorts maps into the order in which they run, which is that of the numbers in their names.
void sort_by_number(std::vector<StatedMap>& maps);
/// Throws Unreadable unless the boxes of the maps, in the given order, cover every point exactly once.
void require_cover(const std::vector<StatedMap>& maps, const Tuple& extents);

/// Returns the number of elements that maps write beyond the kernel's results. The host adds them after the
/// last map.
Int shared_results(const Kernel& kernel, const std::vector<StatedMap>& maps);

/// Times of the host in picoseconds, with the precision of long double.
struct HostTimes {
  long double launch = 0, reduce = 0, transfer = 0;
};

/// The entries of maps, and the sums of their figures.
class MapEntries {
 public:
  MapEntries(const KernelClaims& claims, const Fraction& cycle) : claims_(claims), cycle_(to_real(cycle)) {}

  /// Returns the entry of a map with its own keys and its units.
  Json begin(const StatedMap& map) const;
  /// Returns the entry for a kernel without a mapping, which runs on one unit.
  Json begin_single(Int tasklets) const;
  /// Adds the figures of a complete simulation.
  void add_replay(Json& entry, Int cycles, Json by_cause, const HostTimes& host);
  void finish(Json entry, const Fraction& cycles, const HostTimes& host);
  /// Adds a key that nothing confirms.
  void leave_open(const std::string& key);
  KernelContract result();

 private:
  Json units(const std::vector<Tuple>& tuples) const;
  double milliseconds(const Fraction& cycles, const HostTimes& host) const;

  const KernelClaims& claims_;
  const long double cycle_;  ///< picoseconds
  Json maps_ = Json::array();
  double time_ms_ = 0, cycles_ = 0, replay_ms_ = 0;
  std::vector<std::string> open_;
};

}  // namespace nestor::check::cnm
