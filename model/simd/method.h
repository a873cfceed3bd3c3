// Methods and objectives of simd scheduling, with their names in options and results.
#pragma once

#include <cstdint>

#include "base/enum_words.h"

namespace nestor::simd {

/// `masim` behaves like its authors' program; `masim_paper` uses the order described in their paper.
enum class ScheduleMethod : std::uint8_t { nestor, masim, masim_paper, gppic, simpler, star, date24, exact };

inline constexpr auto schedule_methods =
    enum_words<ScheduleMethod>({{ScheduleMethod::nestor, "nestor"},
                                {ScheduleMethod::masim, "masim"},
                                {ScheduleMethod::masim_paper, "masim-paper"},
                                {ScheduleMethod::gppic, "gppic"},
                                {ScheduleMethod::simpler, "simpler"},
                                {ScheduleMethod::star, "star"},
                                {ScheduleMethod::date24, "date24"},
                                {ScheduleMethod::exact, "exact"}});
constexpr std::string_view to_string(ScheduleMethod method) { return schedule_methods.word(method); }

/// Methods of converting an order of gates to instructions.
enum class Generation : std::uint8_t { greedy, paper };

inline constexpr auto generations =
    enum_words<Generation>({{Generation::greedy, "greedy"}, {Generation::paper, "paper"}});

/// Objective of a schedule, docs/models/simd.md (3.1) or (3.2). The two objectives agree if nodes are
/// computed once and all copies have the same cost.
enum class ScheduleObjective : std::uint8_t { copies, energy };

inline constexpr auto schedule_objectives = enum_words<ScheduleObjective>(
    {{ScheduleObjective::copies, "copies"}, {ScheduleObjective::energy, "energy"}});
constexpr std::string_view to_string(ScheduleObjective objective) {
  return schedule_objectives.word(objective);
}

}  // namespace nestor::simd
