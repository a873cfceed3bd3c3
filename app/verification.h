// Output of verify for a result file of any space.
#pragma once

#include "app/space.h"
#include "report/verify/result_check.h"

namespace nestor::app {

/// With --proof, what the checker says of the proof is added; `unproved` are the entries of `not_checked`
/// that a proof does away with. Prints and writes --json; `good` is the word for a result without findings.
/// The outcome: limited if a claim fails, or a new search was stopped.
io::Result<ExitStatus> report_check(const io::RunOptions& options, const io::ResultCheck& result,
                                    std::span<const std::string_view> unproved, std::string_view good,
                                    std::string_view thing);

}  // namespace nestor::app
