// Search of a kernel's space of single maps, the building block of map_kernel().
#pragma once

#include "mapper/cnm/map_kernel.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {

/// Cost known before a search, with or without a map of this cost.
struct KnownMap {
  double cost = no_cost;      ///< in picoseconds; only cheaper maps are searched
  std::optional<CnmMap> map;  ///< without a map, the cost is only a limit
};

class OneMapSearch {
 public:
  OneMapSearch(const System& system, const Library& library, const MapRequest& request, StopSource& stop);

  struct Outcome {
    Status status = Status::infeasible;
    std::optional<CnmMap> map;  ///< best map found, or the known map
    double cost = no_cost;
    double bound = 0;                 ///< lower bound on the costs of all maps, at most the known cost
    Status ties = Status::heuristic;  ///< as in MapResult
    double first_cost = 0;            ///< cost of the map by priorities; 0 if there is none
    std::vector<FormCycles> proof;
    std::string refusal;
  };
  /// `most` contains the limits to which extents may grow; it is empty if they must not grow. With `settle`,
  /// ties are broken, and a requested proof is stored.
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
