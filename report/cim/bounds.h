// Output of `nestor map --bound-only`: bounds on every layer's optimum before any search.
#pragma once

#include <string>
#include <vector>

#include "mapper/cim/root_bounds.h"
#include "model/workload/unique_shapes.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns the bounds as JSON, "nestor.bounds/1". `all` contains the bounds of each shape.
io::Json bounds_json(const io::CimRun& run, const UniqueShapes& shapes,
                     const std::vector<mapper::RootBounds>& all);
io::Json bounds_schema();

std::string bounds_text(const io::CimRun& run, const UniqueShapes& shapes,
                        const std::vector<mapper::RootBounds>& all);

}  // namespace nestor::report
