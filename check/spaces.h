// Table of spaces, which selects the rules for a result.
#pragma once

#include "check/exact.h"

namespace nestor::check {

/// Prints the verdict on a result. Returns 0 if every claim is verified, otherwise 1. `layer` selects one
/// layer, if it is not empty.
int check_result(const Json& result, const std::string& proof, const std::string& layer);

}  // namespace nestor::check
