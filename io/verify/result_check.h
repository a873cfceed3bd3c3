// Re-checks a result file: is every mapping legal and canonical, does it cost what the file says, do bound,
// gap and status agree, do the totals add up? All figures come from model/cim/second_reading and from a
// replay, none from the evaluator that the file was written with.
#pragma once

#include <string>
#include <vector>

#include "io/result_file.h"

namespace nestor::io {

/// Relative tolerance for energies and products of energies (model-cim, section 7); counts must be equal.
inline constexpr double verify_tolerance = 1e-9;

struct ResultCheck {
  std::vector<std::string> findings;     ///< one sentence each, claimed against found; empty: all confirmed
  Int mappings = 0;                      ///< checked
  Int figures = 0;                       ///< compared
  std::vector<std::string> not_checked;  ///< parts of a result file (file_check.h), by their keys
};

/// Everything in a result of the cim space.
ResultCheck check_result(const RunResult& result);

}  // namespace nestor::io
