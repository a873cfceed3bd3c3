// One search of a kernel's space of single maps: what map_kernel() puts together.
#pragma once

#include "mapper/cnm/map_kernel.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {

/// What a search may take as known.
struct KnownMap {
  double cost = no_cost;      ///< picoseconds; nothing that costs as much or more is looked for
  std::optional<CnmMap> map;  ///< without one the cost is a limit only
};

class OneMapSearch {
 public:
  OneMapSearch(const System& system, const Library& library, const MapRequest& request, StopSource& stop);

  struct Outcome {
    Status status = Status::infeasible;
    std::optional<CnmMap> map;  ///< costs less than what was known, or is that
    double cost = no_cost;
    double bound = 0;                 ///< of the space, up to what was known
    Status ties = Status::heuristic;  ///< as in MapResult
    double first_cost = 0;            ///< of the map by priorities; 0: none
    std::vector<FormCycles> proof;
    std::string refusal;
  };
  /// `most`: how far extents may grow; empty: not at all. With `settle`, ties are broken and the proof kept.
  Outcome run(const Kernel& kernel, const std::vector<Int>& most, const KnownMap& known, bool settle);
  const System& system() const { return system_; }
  const Library& library() const { return library_; }
  StopSource& stop() const { return stop_; }
  void add_counts(MapResult& result) const;

 private:
  const System& system_;
  const Library& library_;
  const MapRequest& request_;
  StopSource& stop_;
  std::unique_ptr<Executor> executor_;
  std::uint64_t branches_ = 0, work_ = 0, estimates_ = 0;
};

}  // namespace nestor::cnm
