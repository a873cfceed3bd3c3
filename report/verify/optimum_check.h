// Check of `network_optimum` in results of `map --scope network`, from the JSON of any loop-nest space. It
// covers the limits, and the sums over the chosen points of the layers' fronts. Without limits, no common
// weight of latency against energy may yield a better choice (mapper/loopnest/network_choice.h, point 1).
#pragma once

#include "io/options.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// Checks `network_optimum`, if the result has it, and adds the findings to `check`. Its figures are replaced
/// by those of the chosen points.
void check_network_optimum(Json& result, const RunOptions& given, Claims& claims, ResultCheck& check);

}  // namespace nestor::io
