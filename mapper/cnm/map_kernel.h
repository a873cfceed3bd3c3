// Mapper of a kernel, which proves its mapping optimal unless a limit ends the search: chooses the search
// spaces, runs the engine and breaks ties.
//
// On UPMEM the space is one map over exact divisors of the extents, or of extents that grow by at most a
// percentage. Without growth it may also include two maps that cut one dim into a full part and a remainder
// (map_cuts.h). On HBM-PIM the space is one map of channel_maps.h, or on request also two maps that cut one
// dim.
#pragma once

#include <atomic>

#include "base/status.h"
#include "model/cnm/search/channel_maps.h"
#include "model/cnm/search/map_space.h"
#include "solver/engine/executor.h"
#include "solver/engine/observer.h"

namespace nestor::cnm {

/// Values of MapResult::searched if extents must not grow.
inline constexpr std::string_view of_one_map = "exact divisors, one map";
inline constexpr std::string_view of_two_maps = "exact divisors, one map or two that cut one dim";
inline constexpr std::string_view of_general_streams =
    "blocks, orders and halves of general streams, one map";
inline constexpr std::string_view of_two_channel_maps =
    "blocks, orders and halves of general streams, one map or two that cut one dim exactly";
inline constexpr std::string_view of_library_streams = "whole tiles, one map";

struct MapRequest {
  double pad_percent = 0;                            ///< maximum growth of each extent, in percent
  int most_maps = 1;                                 ///< 1, 2, or 0 for 2 maps only if they may save much
                                                     ///< time
  ChannelSpace channel_space = ChannelSpace::whole;  ///< for HBM-PIM only
  bool first_by_priorities = true;                   ///< start with the mapping of heuristics/cnm
  /// Store the proof; only for UPMEM with one map.
  bool keep_proof = false;
  double time_limit = std::numeric_limits<double>::infinity();  ///< in seconds
  std::uint64_t work_limit = 0;                                 ///< expansions; 0 for no limit
  double gap = 0;
  int threads = 0;
  ExecutorKind executor = ExecutorKind::tbb;
  std::size_t memory_bytes = std::size_t{4} << 30;
  const std::atomic<bool>* interrupted = nullptr;
  EngineObserver* observer = nullptr;  ///< receives costs in picoseconds
};

struct MapResult {
  Status status = Status::infeasible;
  CnmMapping mapping;    ///< empty if none was found
  Kernel kernel;         ///< the kernel with the chosen extents
  double time_ms = 0;    ///< time of the mapping
  double first_ms = 0;   ///< time of the initial mapping built by priorities, or 0
  double bound_ms = 0;   ///< lower bound on the time of any mapping
  std::string searched;  ///< description of the mappings that the status and the bound cover
  /// Optimal if the mapping is proved to be the first, in the documented order, among mappings of equal time;
  /// otherwise the reason why this is not proved.
  Status ties = Status::heuristic;
  std::uint64_t branches = 0;
  std::uint64_t work = 0;
  std::uint64_t estimates = 0;
  double seconds = 0;
  std::string refusal;            ///< reason why nothing was searched or no mapping is legal
  std::vector<FormCycles> proof;  ///< forms that had to be estimated; bounds prune all others
};

MapResult map_kernel(const Kernel& kernel, const System& system, const Library& library,
                     const MapRequest& request);

}  // namespace nestor::cnm
