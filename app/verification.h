// Output of verify for a result file of any space.
#pragma once

#include "app/space.h"
#include "report/verify/result_check.h"

namespace nestor::app {

/// Prints a check and writes --json. With --proof, the verdict of nestor-check is added; `unproved` are the
/// entries of `not_checked` that a proof resolves. `good` is the word for a result without findings, and
/// `thing` the word for one of its checked parts. Returns `failed` if a claim fails, and `limited` if a new
/// search was stopped.
io::Result<ExitStatus> report_check(const io::RunOptions& options, const io::ResultCheck& result,
                                    std::span<const std::string_view> unproved, std::string_view good,
                                    std::string_view thing);

}  // namespace nestor::app
