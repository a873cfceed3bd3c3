// A request turned into what searches take: the problem of a layer.
#pragma once

#include "mapper/cim/request.h"

namespace nestor::mapper {

cim::Problem problem_of(const LayerShape& layer, const Architecture& machine, const Request& request);

/// An operand always uses its home and its innermost memory, and no memory is both used and not used. Spaces
/// do not ask for the impossible; requests that do have no mapping.
bool asks_the_impossible(const Constraints& constraints, const Architecture& machine);

double seconds_since(Resources::Clock::time_point begin);

}  // namespace nestor::mapper
