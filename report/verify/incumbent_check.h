// Check of the incumbents of a search, as a layer of any loop-nest space states them.
#pragma once

#include <optional>

#include "model/loopnest/space/search_statistics.h"
#include "report/verify/claims.h"

namespace nestor::io {

/// Checks that incumbents never become worse, that none is better than the layer's objective, that their
/// nodes are counted in order, and that the bounds proved at the same time do not exceed the objective.
void check_incumbents(const SearchStatistics& search, const std::optional<double>& objective, Claims& claims);

}  // namespace nestor::io
