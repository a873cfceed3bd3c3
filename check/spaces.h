// The table of spaces, one row each: which rules a result asks for.
#pragma once

#include "check/exact.h"

namespace nestor::check {

/// The verdict on a result, printed; the exit status of the program. `layer`: the only one to be checked, if
/// any.
int check_result(const Json& result, const std::string& proof, const std::string& layer);

}  // namespace nestor::check
