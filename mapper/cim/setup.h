// The search problem of a layer, with the constraints and factors of a request.
#pragma once

#include "mapper/cim/request.h"

namespace nestor::mapper {

cim::CimProblem problem_of(const LayerShape& layer, const Architecture& machine, const CimRequest& request);

}  // namespace nestor::mapper
