// Schedules as text (docs/netlists.md, "Schedule"):
//
//   nestor-schedule 1
//   rows 8
//   arrays 4                         # optional: the limit
//   recompute                        # optional: nodes may be computed more than once
//   input x1 0 0                     # name, array, row; one line per primary input in order
//   copy 0 0 1 0                     # array row -> array row
//   xor3 1 8 0 ~1 2 @n12             # array, row, fanins (row, ~row, =0 or =1), the node computed
//   output y1 1 8 ~                  # name, array, row, ~ when inverted; or `=0`, `=1`; or `input x3`
//
// Blanks, control characters, % and a leading # in names are written as %XX. The contract of the space finds
// the meaning of the statements in a netlist (check/simd/contract.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/simd/contract.h"
#include "io/error.h"
#include "model/simd/netlist.h"
#include "model/simd/schedule.h"

namespace nestor::io {

/// Limit on a schedule's text in bytes.
inline constexpr std::uintmax_t schedule_size_limit = std::uintmax_t{4} << 30U;

/// Reads the statements of a text. The views in the result refer to `text`.
Result<check::simd::Schedule> parse_schedule(std::string_view text, const std::string& file);

std::string to_text(const simd::Schedule& schedule, const simd::Netlist& netlist);
/// Returns the lines of a text, as in a result's JSON.
std::vector<std::string> schedule_lines(std::string_view text);

}  // namespace nestor::io
