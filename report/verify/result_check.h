// Outcome of verifying a result: confirmed figures, findings, and parts that were not checked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_words.h"
#include "report/results/result_parts.h"

namespace nestor::io {

/// Relative tolerance for energies and products of energies (docs/models/cim.md, section 7). Counts must be
/// equal.
inline constexpr double verify_tolerance = 1e-9;

/// The state of the claims of optimality, after a new search or a check of a proof.
enum class Optimality : std::uint8_t {
  none_claimed,
  not_checked,
  proved_again,
  refuted,
  left_open,  ///< the new search was stopped
  followed,   ///< by nestor-check
  not_proved
};
inline constexpr auto optimality_words =
    enum_words<Optimality>({{Optimality::none_claimed, "none claimed"},
                            {Optimality::not_checked, "not checked"},
                            {Optimality::proved_again, "proved again by the search"},
                            {Optimality::refuted, "refuted by the search"},
                            {Optimality::left_open, "left open where the search was stopped"},
                            {Optimality::followed, "proved: nestor-check followed every step"},
                            {Optimality::not_proved, "not proved by the proof"}});

struct ResultCheck {
  std::vector<std::string> findings;     ///< one sentence for each false claim or missing part
  Int mappings = 0;                      ///< number of checked mappings
  Int figures = 0;                       ///< number of compared figures
  std::vector<std::string> not_checked;  ///< keys of the parts of the result that were not checked
  Optimality optimality = Optimality::none_claimed;
};

/// Entries of `not_checked` that a new search or a proof can resolve.
inline constexpr std::string_view unproved_optimality =
    "layers[].status, layers[].lower_bound (optimality not checked)";
inline constexpr std::string_view unproved_front = "layers[].front (whether points are missing)";
inline constexpr std::string_view unproved_alternatives =
    "layers[].alternatives (whether better ones are missing)";
inline constexpr std::string_view unproved_ties = "layers[].tie_break (whether the other cost is minimal)";
inline constexpr std::array<std::string_view, 3> unproved_claims = {unproved_optimality, unproved_front,
                                                                    unproved_alternatives};

}  // namespace nestor::io
