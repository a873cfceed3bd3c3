// nestor verify RESULT --proof FILE: runs nestor-check on both files. The checker is a separate program. It
// shares no source with the nestor tool except the definition of claims (check/claim.h; docs/proofs.md).
// Therefore it is run as a process instead of being linked.
#pragma once

#include <span>
#include <string_view>

#include "io/options.h"
#include "report/verify/result_check.h"

namespace nestor::app {

/// Adds a finding for each part that the checker does not verify. If the checker verifies all parts, the
/// claims of optimality in `unproved` are removed from the list of unchecked claims. Returns an error if the
/// checker cannot be run or cannot read a file.
io::MaybeError follow_proof(const io::RunOptions& options, std::span<const std::string_view> unproved,
                            io::ResultCheck& check);

}  // namespace nestor::app
