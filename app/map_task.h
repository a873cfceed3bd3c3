// Common setup of `map` in the loop-nest spaces: the layers of the given networks, the request to the mapper
// and the memory that a search may use.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/inputs.h"
#include "mapper/loopnest/request.h"
#include "model/loopnest/rules/admission.h"
#include "model/workload/named_machine.h"
#include "report/results/result_parts.h"

namespace nestor::app {

struct MapTask {
  std::string network;  ///< names of the networks, joined
  std::vector<Layer> layers;
  std::vector<UnmappedOperator> unmapped;
  std::vector<io::ResultInput> inputs;  ///< the machine's file, then the files of the networks
};

/// Returns an error if no network or no --arch is given.
io::MaybeError check_map_inputs(const io::RunOptions& options);

/// Returns the layers of all networks, or only those that --layer selects, adapted to this machine. `admit`
/// returns the reason to refuse a layer.
io::Result<MapTask> read_map_task(const io::RunOptions& options, const Hierarchy& machine,
                                  const std::function<Refusal(const LayerShape&)>& admit);

/// Sets the parts of a request that all loop-nest spaces share.
void set_request(mapper::NestRequest& request, const io::RunOptions& options);

/// Sets the constraints of --fix, if it is given. If `run` is not null, also records them there, and refuses
/// --proof for constraints that nestor-check has no rules for.
io::MaybeError set_constraints(const io::RunOptions& options, const Hierarchy& machine,
                               const HierarchyNames& names, mapper::NestRequest& request,
                               io::RunHead* run = nullptr);

/// Returns the memory that a search may use so that the whole process stays within --memory-limit, but at
/// least half of the limit. `program` is the number of bytes for everything but the search; writing a proof
/// adds to it. Under a low limit, freed blocks are returned to the system immediately.
std::size_t search_memory(const io::RunOptions& options, std::size_t program);

}  // namespace nestor::app
