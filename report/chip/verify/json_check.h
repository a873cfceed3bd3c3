// Two trees of JSON, one claimed and one found: every place where they differ is a finding. Internal to
// report/chip/verify.
#pragma once

#include <string>

#include "report/verify/result_check.h"

namespace nestor::io {

/// Whole numbers and words must be equal, decimals within verify_tolerance; a key too many is a finding as
/// much as one that is missing.
void compare_json(const std::string& at, const Json& claimed, const Json& found, ResultCheck& check);

/// Within verify_tolerance of the larger.
bool nearly_equal(double a, double b);

}  // namespace nestor::io
