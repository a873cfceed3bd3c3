// A request turned into what searches take: the problem of a layer.
#pragma once

#include "mapper/cim/request.h"

namespace nestor::mapper {

cim::Problem problem_of(const LayerShape& layer, const Architecture& machine, const Request& request);

}  // namespace nestor::mapper
