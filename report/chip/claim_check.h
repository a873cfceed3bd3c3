// Comparison of a compile result's claims with the proofs of a repeated search.
#pragma once

#include "model/chip/search/compile.h"
#include "report/chip/verify/result_check.h"

namespace nestor::report {

/// Removes the questions that `found` answers from the entries that are not checked.
void check_claim(const chip::CompileOutcome& found, io::CompileCheck& check);

}  // namespace nestor::report
