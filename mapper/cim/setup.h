// Conversion of a request to the search problem of a layer.
#pragma once

#include "mapper/cim/request.h"

namespace nestor::mapper {

cim::CimProblem problem_of(const LayerShape& layer, const Architecture& machine, const CimRequest& request);

}  // namespace nestor::mapper
