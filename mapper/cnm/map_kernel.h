// The best mapping of a kernel, proved: the spaces that are searched, the engine, ties.
//
// On UPMEM the space is one map over exact divisors of the extents, or of extents that grow by a percentage;
// or, without growth, also two maps that cut one dim into a full part and a remainder (map_cuts.h). On
// HBM-PIM it is one map: that of channel_maps.h.
#pragma once

#include <atomic>

#include "base/status.h"
#include "model/cnm/search/channel_maps.h"
#include "model/cnm/search/map_space.h"
#include "solver/engine/executor.h"
#include "solver/engine/observer.h"

namespace nestor::cnm {

/// Words of MapResult::searched.
inline constexpr std::string_view of_one_map = "exact divisors, one map";
inline constexpr std::string_view of_two_maps = "exact divisors, one map or two that cut one dim";
inline constexpr std::string_view of_general_streams =
    "blocks, orders and halves of general streams, one map";
inline constexpr std::string_view of_two_channel_maps =
    "blocks, orders and halves of general streams, one map or two that cut one dim exactly";
inline constexpr std::string_view of_library_streams = "whole tiles, one map";

struct MapRequest {
  double pad_percent = 0;                                       ///< by which any extent may grow
  int most_maps = 1;                                            ///< 1 or 2; 0: two where they might pay
  ChannelSpace channel_space = ChannelSpace::whole;             ///< of HBM-PIM
  bool first_by_priorities = true;                              ///< begin with heuristics/cnm's mapping
  bool keep_proof = false;                                      ///< UPMEM, one map
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds
  std::uint64_t work_limit = 0;                                 ///< expansions; 0: none
  double gap = 0;
  int threads = 0;
  ExecutorKind executor = ExecutorKind::tbb;
  std::size_t memory_bytes = std::size_t{4} << 30;
  const std::atomic<bool>* interrupted = nullptr;
  EngineObserver* observer = nullptr;  ///< told of costs in picoseconds
};

struct MapResult {
  Status status = Status::infeasible;
  CnmMapping mapping;    ///< empty: none was found
  Kernel kernel;         ///< with the extents that were chosen
  double time_ms = 0;    ///< of the mapping
  double first_ms = 0;   ///< of the one by priorities; 0: none
  double bound_ms = 0;   ///< no mapping is faster
  std::string searched;  ///< which mappings the status and the bound speak of
  /// Optimal: of equal times the first in the documented order; else what ended that search.
  Status ties = Status::heuristic;
  std::uint64_t branches = 0;
  std::uint64_t work = 0;
  std::uint64_t estimates = 0;
  double seconds = 0;
  std::string refusal;            ///< why nothing was searched, or why no mapping is legal
  std::vector<FormCycles> proof;  ///< what had to be estimated: bounds alone close all else
};

MapResult map_kernel(const Kernel& kernel, const System& system, const Library& library,
                     const MapRequest& request);

}  // namespace nestor::cnm
