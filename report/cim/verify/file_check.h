// Everything a result file says, held against what can be known of it: its figures (result_check.h), its
// words, what it must not leave out or repeat, the inputs that it names where they are at hand. What nobody
// can confirm without searching again is named, so that "confirmed" never covers more than was looked at.
#pragma once

#include "report/verify/run_claims.h"

namespace nestor::io {

/// `text` is the content of `file`. An error if it cannot be read as a result.
Result<ResultCheck> check_result_file(std::string_view text, const std::string& file,
                                      const NetworkReader& read_network);

}  // namespace nestor::io
