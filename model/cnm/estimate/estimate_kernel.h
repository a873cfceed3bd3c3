// Time of a kernel on a system under a mapping. Each map is lowered, checked and estimated, the host's share
// is added, and the times of the maps are summed. `nestor estimate` prints this time and `nestor map`
// minimises it.
#pragma once

#include <functional>

#include "base/tables/hash_table.h"
#include "model/cnm/estimate/estimate.h"
#include "model/cnm/map_rules.h"

namespace nestor::cnm {

/// Request for the listing of a library call with the given number of buffers and of elements per buffer. The
/// caller provides the library, because only readers have access to the files of built-in kernels.
struct LibraryRequest {
  std::string name;
  Type type = Type::i32;
  Int buffer_elems = 1;
  Int iterations = 1;
  Int tasklets = 1;
};
using Library = std::function<std::optional<Listing>(const LibraryRequest&)>;

struct EstimatedMap {
  CnmMap map;
  MapEstimate estimate;
};

struct KernelEstimate {
  std::vector<EstimatedMap> maps;  ///< in execution order
  double time_ms = 0;
  double cycles = 0;
  std::string refusal;  ///< reason if there is no estimate; otherwise empty
  std::string note;     ///< padding, and elements taken as f16; empty if there are none
};

/// Returns the listing of one tasklet under a map with block and order. If there is no listing, `fault` is
/// the reason.
MapListing listing_of(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// Returns the host's work for a map. Without block and order, it is a lower bound.
HostWork host_work(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// Results that estimates of one kernel on one system share.
struct EstimateMemory {
  /// Outcomes by the work of a tasklet, without the host's share.
  HashMap<std::vector<Int>, EstimateOutcome> outcomes;
  RunMemory runs;
};

/// Estimates one map with block and order, including its host work.
EstimateOutcome estimate_map(const Kernel& kernel, const CnmMap& map, const System& system,
                             const Library& library, EstimateMemory* memory = nullptr);

KernelEstimate estimate_kernel(const Kernel& kernel, const CnmMapping& mapping, const System& system,
                               const Library& library, EstimateMemory* memory = nullptr);

/// Returns the map with block and order filled in, also for library calls.
CnmMap complete(const CnmMap& map, const Kernel& kernel, const System& system, const Library& library);

}  // namespace nestor::cnm
