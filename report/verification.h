// Report of `nestor verify` on a result file of any space.
#pragma once

#include <string>
#include <string_view>

#include "io/files.h"
#include "report/verify/result_check.h"

namespace nestor::report {

/// "nestor.verification/1".
io::Json check_json(const io::ResultCheck& check);

/// `good` is the word for a result without findings, `thing` for what it holds. What else is not checked is
/// in check_json alone.
std::string check_text(const io::ResultCheck& check, std::string_view good, std::string_view thing,
                       bool rechecked);

/// What a proof that was followed says of it.
std::string followed_text(const io::ResultCheck& check);

}  // namespace nestor::report
