// Request to the mapper on a PIM machine, from the options of map. verify --recheck repeats it.
#pragma once

#include "io/options.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/map_layer.h"
#include "report/results/result_parts.h"

namespace nestor::app::pim_space {

/// Returns the request. `run` is the head of a run in which the constraints of --fix are recorded.
io::Result<mapper::pim::PimRequest> request_of(const io::RunOptions& options,
                                               const io::pim::NamedPimMachine& machine,
                                               io::RunHead* run = nullptr);

}  // namespace nestor::app::pim_space
