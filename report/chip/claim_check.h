// Comparison of the lower bound in a compile result with the outcome of a repeated search.
#pragma once

#include "model/chip/search/compile.h"
#include "report/chip/verify/result_check.h"

namespace nestor::report {

/// Compares the claimed lower bound with `found`. Removes unproved_compilation from `not_checked` if `found`
/// confirms the bound.
void check_claim(const chip::CompileOutcome& found, io::CompileCheck& check);

}  // namespace nestor::report
