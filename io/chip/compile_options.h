// Parser of the values of --limit and --levels of `nestor compile`, for compilation and for checks of
// results.
#pragma once

#include <vector>

#include "io/options.h"
#include "model/chip/decisions.h"

namespace nestor::io {

struct FigureLimit {
  chip::CompileObjective figure = chip::CompileObjective::latency;
  double most = 0;
};

Result<std::vector<FigureLimit>> figure_limits(const RunOptions& options);

/// Returns the levels in --levels that the mode allows (allowed() in model/chip/decisions.h) or, without the
/// option, all levels of the mode except stream.
Result<chip::Levels> wanted_levels(const RunOptions& options, chip::Mode mode);

}  // namespace nestor::io
