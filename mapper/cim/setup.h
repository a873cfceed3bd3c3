// A request turned into what searches take: the problem of a layer, and the deadline of its work.
#pragma once

#include "mapper/cim/request.h"

namespace nestor::mapper {

cim::Problem problem_of(const LayerShape& layer, const Architecture& machine, const Request& request);

/// The earlier of the run's deadline and the layer's own, counted from `begin`.
std::optional<Resources::Clock::time_point> deadline_of(const Request& request, const Resources& resources,
                                                        Resources::Clock::time_point begin);

/// An operand always uses its home and its innermost memory, and no memory is both used and not used. Spaces
/// do not ask for the impossible; requests that do have no mapping.
bool asks_the_impossible(const Constraints& constraints, const Architecture& machine);

double seconds_since(Resources::Clock::time_point begin);

}  // namespace nestor::mapper
