// nestor verify RESULT --proof FILE: what nestor-check says of both. That is a program of its own, which
// shares no source with this one (docs/proofs.md): it is run, not linked.
#pragma once

#include <span>
#include <string_view>

#include "io/options.h"
#include "report/verify/result_check.h"

namespace nestor::app {

/// What the checker does not verify becomes a finding; if it verifies all, `unproved`, the claims that
/// something is best, are no longer named as not checked. An error if it cannot be run, or cannot read a
/// file.
io::MaybeError follow_proof(const io::RunOptions& options, std::span<const std::string_view> unproved,
                            io::ResultCheck& check);

}  // namespace nestor::app
