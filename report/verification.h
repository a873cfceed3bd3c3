// Report of `nestor verify` on a result file of any space.
#pragma once

#include <string>
#include <string_view>

#include "io/files.h"
#include "report/verify/result_check.h"

namespace nestor::report {

/// Returns the outcome as JSON, "nestor.verification/1".
io::Json check_json(const io::ResultCheck& check);
/// Schema of the outcomes for results and schedules.
io::Json verification_schema();

/// Returns the report as text. `good` is the word for a result without findings, and `thing` is the word for
/// what was checked. Entries of `not_checked` are only in check_json().
std::string check_text(const io::ResultCheck& check, std::string_view good, std::string_view thing,
                       bool rechecked);

/// Returns the verdict of nestor-check on a proof.
std::string followed_text(const io::ResultCheck& check);

}  // namespace nestor::report
