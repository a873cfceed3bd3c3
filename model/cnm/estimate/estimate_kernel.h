// A kernel on a system, under a mapping: each map lowered, checked and estimated, the host's part, the sum.
// What `nestor estimate` prints and `nestor map` minimises.
#pragma once

#include <functional>

#include "base/tables/hash_table.h"
#include "model/cnm/estimate/estimate.h"
#include "model/cnm/map_rules.h"

namespace nestor::cnm {

/// The listing of a library call for so many elements a buffer and so many buffers; the files of built-in
/// kernels are the readers' business, so it is handed in.
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
  std::vector<EstimatedMap> maps;  ///< in the order in which they run
  double time_ms = 0;
  double cycles = 0;
  std::string refusal;  ///< empty if it was estimated
  std::string note;     ///< what was padded
};

/// The listing of one tasklet under a map with block and order; `fault` says why not.
MapListing listing_of(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// What the host does for a map; without block and order no more than with any.
HostWork host_work(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library);

/// What estimates of one kernel on one system share.
struct EstimateMemory {
  HashMap<std::vector<Int>, EstimateOutcome> outcomes;  ///< by the work of a tasklet, without the host's part
  RunMemory runs;
};

/// One map with block and order, its host work counted.
EstimateOutcome estimate_map(const Kernel& kernel, const CnmMap& map, const System& system,
                             const Library& library, EstimateMemory* memory = nullptr);

KernelEstimate estimate_kernel(const Kernel& kernel, const CnmMapping& mapping, const System& system,
                               const Library& library, EstimateMemory* memory = nullptr);

/// Block, order and all else that may be left out; for library calls too.
CnmMap complete(const CnmMap& map, const Kernel& kernel, const System& system, const Library& library);

}  // namespace nestor::cnm
