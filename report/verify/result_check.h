// Outcome of verifying a result: confirmed figures, findings, and parts that were not checked.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "report/results/result_parts.h"

namespace nestor::io {

/// Relative tolerance for energies and products of energies (docs/models/cim.md, section 7); counts must be
/// equal.
inline constexpr double verify_tolerance = 1e-9;

/// A claim of optimality before a proof is followed or a new search is run.
inline constexpr std::string_view optimality_not_checked = "not checked";
/// For a new search that ended without an answer.
inline constexpr std::string_view optimality_left_open = "left open where the search was stopped";

struct ResultCheck {
  std::vector<std::string> findings;     ///< one sentence each, claimed against found; empty: all confirmed
  Int mappings = 0;                      ///< checked
  Int figures = 0;                       ///< compared
  std::vector<std::string> not_checked;  ///< parts of a result file, by their keys
  /// What is known of the claims that something is best.
  std::string_view optimality = "none claimed";
};

/// Entries of `not_checked` that a new search, or a proof, can do away with.
inline constexpr std::string_view unproved_optimality =
    "layers[].status, layers[].lower_bound (optimality not checked)";
inline constexpr std::string_view unproved_front = "layers[].front (whether points are missing)";
inline constexpr std::string_view unproved_alternatives =
    "layers[].alternatives (whether better ones are missing)";
inline constexpr std::string_view unproved_ties = "layers[].tie_break (whether the other cost is least)";
inline constexpr std::array<std::string_view, 3> unproved_claims = {unproved_optimality, unproved_front,
                                                                    unproved_alternatives};

}  // namespace nestor::io
