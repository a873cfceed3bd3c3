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
// Blanks, control characters, % and a leading # in names are written as %XX. Reading has two steps: the first
// parses the words of the text, and the second finds their meaning in a netlist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/simd/schedule.h"
#include "model/simd/second_reading/verify_schedule.h"

namespace nestor::io {

/// Limit on a schedule's text in bytes.
inline constexpr std::uintmax_t schedule_size_limit = std::uintmax_t{4} << 30U;

struct ScheduleText {
  struct Input {
    std::uint32_t line = 0;
    std::string_view name;
    simd::Place place;
  };
  struct Output {
    std::uint32_t line = 0;
    std::string_view name;
    std::string_view input;  ///< name of the input, if the output is an input
    simd::OutputPlace place;
  };
  struct Step {
    std::uint32_t line = 0;
    std::string_view node;  ///< name of the computed node, still escaped
  };

  simd::Schedule schedule;  ///< nodes and inputs are names in the lists below
  std::vector<Input> inputs;
  std::vector<Step> steps;  ///< steps in the order of schedule.instructions
  std::vector<Output> outputs;
};

/// The views in the result refer to `text`.
Result<ScheduleText> parse_schedule(std::string_view text, const std::string& file);

/// Finds the nodes, inputs and outputs of a netlist that a schedule names, and puts outputs in the netlist's
/// order. If a schedule names unknown items, or places inputs differently from the machine, it does not
/// belong to this netlist.
Result<simd::Schedule> resolve_schedule(const ScheduleText& text, const simd::Netlist& netlist,
                                        const std::string& file);

/// Returns the line of a fault found by verify_schedule, or 0 for the file as a whole.
std::uint32_t line_of(const ScheduleText& text, const simd::ScheduleFault& fault,
                      const simd::Netlist& netlist);

std::string to_text(const simd::Schedule& schedule, const simd::Netlist& netlist);
/// Returns the schedule as in a result's JSON, with one line per item.
std::vector<std::string> schedule_lines(const simd::Schedule& schedule, const simd::Netlist& netlist);

}  // namespace nestor::io
