// Request to the mapper on a PIM machine, from the options of map, for map and for verify --recheck.
#pragma once

#include "io/options.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/map_layer.h"
#include "report/results/result_parts.h"

namespace nestor::app::pim_space {

/// Returns the request. If `run` is not null, also records the constraints of --fix there.
io::Result<mapper::pim::PimRequest> request_of(const io::RunOptions& options,
                                               const io::pim::NamedPimMachine& machine,
                                               io::RunHead* run = nullptr);

}  // namespace nestor::app::pim_space
