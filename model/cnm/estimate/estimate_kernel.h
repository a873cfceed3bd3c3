// Time of a kernel on a system under a mapping: each map is lowered, checked and estimated, the host's part
// is added, and the maps are summed. `nestor estimate` prints it and `nestor map` minimises it.
#pragma once

#include <functional>

#include "base/tables/hash_table.h"
#include "model/cnm/estimate/estimate.h"
#include "model/cnm/map_rules.h"

namespace nestor::cnm {

/// Request for the listing of a library call with this many elements per buffer and this many buffers. The
/// caller provides the library, because readers own the files of built-in kernels.
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
  std::string refusal;  ///< empty if it was estimated
  std::string note;     ///< padding that was applied
};

/// Returns the listing of one tasklet under a map with block and order; `fault` is the reason if there is
/// none.
MapListing listing_of(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// Returns the host's work for a map; without block and order, a lower bound.
HostWork host_work(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// Results that estimates of one kernel on one system share.
struct EstimateMemory {
  HashMap<std::vector<Int>, EstimateOutcome> outcomes;  ///< by the work of a tasklet, without the host's part
  RunMemory runs;
};

/// Estimates one map with block and order, including its host work.
EstimateOutcome estimate_map(const Kernel& kernel, const CnmMap& map, const System& system,
                             const Library& library, EstimateMemory* memory = nullptr);

KernelEstimate estimate_kernel(const Kernel& kernel, const CnmMapping& mapping, const System& system,
                               const Library& library, EstimateMemory* memory = nullptr);

/// Fills in block, order and all other optional parts, also for library calls.
CnmMap complete(const CnmMap& map, const Kernel& kernel, const System& system, const Library& library);

}  // namespace nestor::cnm
