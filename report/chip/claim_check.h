// Comparison of a compile result's claims with the proofs of a repeated search.
#pragma once

#include "model/chip/search/compile.h"
#include "report/chip/verify/result_check.h"

namespace nestor::report {

/// Compares the claims with `found`. Removes from `not_checked` the entries that `found` resolves.
void check_claim(const chip::CompileOutcome& found, io::CompileCheck& check);

}  // namespace nestor::report
