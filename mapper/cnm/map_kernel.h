// The best mapping of a kernel, proved: the space, the engine, ties.
#pragma once

#include <atomic>

#include "base/status.h"
#include "model/cnm/search/map_space.h"
#include "solver/engine/executor.h"
#include "solver/engine/observer.h"

namespace nestor::cnm {

struct MapRequest {
  Int pad = 0;                                                  ///< elements by which any extent may grow
  bool first_by_priorities = true;                              ///< begin with heuristics/cnm's mapping
  bool keep_proof = false;                                      ///< UPMEM, without padding
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds
  std::uint64_t work_limit = 0;                                 ///< 0: none
  double gap = 0;
  int threads = 0;
  ExecutorKind executor = ExecutorKind::tbb;
  std::size_t memory_bytes = std::size_t{4} << 30;
  const std::atomic<bool>* interrupted = nullptr;
  EngineObserver* observer = nullptr;  ///< told of costs in picoseconds
};

struct MapResult {
  Status status = Status::infeasible;
  CnmMap map;
  Kernel kernel;        ///< with the extents that were chosen
  double time_ms = 0;   ///< of the map
  double first_ms = 0;  ///< of the one by priorities; 0: none
  double bound_ms = 0;  ///< no mapping is faster
  std::uint64_t branches = 0;
  std::uint64_t work = 0;
  std::uint64_t estimates = 0;
  double seconds = 0;
  std::string refusal;            ///< why nothing was searched
  std::vector<FormCycles> proof;  ///< what had to be estimated: bounds alone close all else
};

MapResult map_kernel(const Kernel& kernel, const System& system, const Library& library,
                     const MapRequest& request);

}  // namespace nestor::cnm
