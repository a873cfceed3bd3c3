// Check of a whole result file: its figures (result_check.h), its words, required and repeated parts, and the
// inputs that it names, if they are available. Claims that only a new search can confirm are listed, so that
// "confirmed" never covers more than was checked.
#pragma once

#include "report/verify/run_claims.h"

namespace nestor::io {

/// Checks `text`, the content of `file`. Returns an error if it cannot be read as a result.
Result<ResultCheck> check_result_file(std::string_view text, const std::string& file,
                                      const NetworkReader& read_network);

}  // namespace nestor::io
