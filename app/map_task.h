// The start of `map` in every loop-nest space: the layers of the networks that are given, what is asked of
// the mapper, and how much memory a search may take.
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
  std::vector<io::ResultInput> inputs;  ///< the machine's file, then the networks'
};

/// Networks and --arch are given.
io::MaybeError check_map_inputs(const io::RunOptions& options);

/// The layers of all networks, or those of --layer, as they are on this machine; `admit` says why it refuses
/// one.
io::Result<MapTask> read_map_task(const io::RunOptions& options, const Hierarchy& machine,
                                  const std::function<Refusal(const LayerShape&)>& admit);

/// What every loop-nest space is asked.
void set_request(mapper::NestRequest& request, const io::RunOptions& options);

/// Sets what --fix names, if it is given. The head of a run, if there is one, gets it as well; then --proof
/// is refused where nestor-check has no rules for it.
io::MaybeError set_constraints(const io::RunOptions& options, const Hierarchy& machine,
                               const HierarchyNames& names, mapper::NestRequest& request,
                               io::RunHead* run = nullptr);

/// What a search may take so that the whole process stays within --memory-limit: the program itself needs
/// `program` bytes, and some to write a proof. Where memory is scarce, freed blocks go back to the system at
/// once.
std::size_t search_memory(const io::RunOptions& options, std::size_t program);

}  // namespace nestor::app
