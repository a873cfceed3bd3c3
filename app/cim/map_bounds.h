// nestor map --bound-only on a cim machine: lower bounds on every layer's optimum that are known before any
// search.
#pragma once

#include "app/space.h"
#include "mapper/cim/root_bounds.h"
#include "model/workload/unique_shapes.h"
#include "report/results/cim/result_file.h"

namespace nestor::app::cim_space {

/// Reports the bounds. `run` contains the layers and receives no results.
io::Result<ExitStatus> report_bounds(const io::RunOptions& options, const io::CimRun& run,
                                     const UniqueShapes& shapes, const mapper::CimRequest& request,
                                     const mapper::Resources& resources);

}  // namespace nestor::app::cim_space
