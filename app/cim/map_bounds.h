// nestor map --bound-only: what is known of every layer's optimum before anything is searched.
#pragma once

#include "app/space.h"
#include "mapper/cim/root_bounds.h"
#include "model/workload/unique_shapes.h"
#include "report/results/cim/result_file.h"

namespace nestor::app::cim_space {

/// `run` holds the layers; it gets no results.
io::Result<ExitStatus> report_bounds(const io::RunOptions& options, const io::RunResult& run,
                                     const UniqueShapes& shapes, const mapper::CimRequest& request,
                                     const mapper::Resources& resources);

}  // namespace nestor::app::cim_space
