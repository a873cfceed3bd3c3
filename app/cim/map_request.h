// Request to the mapper from the options of a run: of one that is about to search, or of one that a
// result file says has searched.
#pragma once

#include "io/options.h"
#include "mapper/cim/request.h"

namespace nestor::app::cim_space {

/// All but what --fix names.
mapper::CimRequest request_of(const io::RunOptions& options);

}  // namespace nestor::app::cim_space
