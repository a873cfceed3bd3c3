// Request to the mapper, from the options of a new run or of a run recorded in a result file.
#pragma once

#include "io/options.h"
#include "mapper/cim/request.h"

namespace nestor::app::cim_space {

/// Returns the request without the constraints of --fix.
mapper::CimRequest request_of(const io::RunOptions& options);

}  // namespace nestor::app::cim_space
