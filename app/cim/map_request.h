// Request to the mapper from the options of a run: a new one, or one that a result file records.
#pragma once

#include "io/options.h"
#include "mapper/cim/request.h"

namespace nestor::app::cim_space {

/// Returns the request without the constraints of --fix.
mapper::CimRequest request_of(const io::RunOptions& options);

}  // namespace nestor::app::cim_space
