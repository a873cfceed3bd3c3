// The names of the simd schedulers, as options and results have them.
#pragma once

#include <cstdint>

#include "base/enum_words.h"

namespace nestor::simd {

enum class ScheduleMethod : std::uint8_t { nestor, masim, gppic, simpler, star, date24, exact };

inline constexpr auto schedule_methods = enum_words<ScheduleMethod>({{ScheduleMethod::nestor, "nestor"},
                                                                     {ScheduleMethod::masim, "masim"},
                                                                     {ScheduleMethod::gppic, "gppic"},
                                                                     {ScheduleMethod::simpler, "simpler"},
                                                                     {ScheduleMethod::star, "star"},
                                                                     {ScheduleMethod::date24, "date24"},
                                                                     {ScheduleMethod::exact, "exact"}});
constexpr std::string_view to_string(ScheduleMethod method) { return schedule_methods.word(method); }

/// What a schedule is judged by, docs/models/simd.md (3.1) or (3.2). Where nodes are computed once and all
/// copies cost alike the two agree.
enum class ScheduleObjective : std::uint8_t { copies, energy };

inline constexpr auto schedule_objectives = enum_words<ScheduleObjective>(
    {{ScheduleObjective::copies, "copies"}, {ScheduleObjective::energy, "energy"}});
constexpr std::string_view to_string(ScheduleObjective objective) {
  return schedule_objectives.word(objective);
}

}  // namespace nestor::simd
