// The names of the simd schedulers, as options and results have them.
#pragma once

#include <cstdint>

namespace nestor::simd {

enum class ScheduleMethod : std::uint8_t { nestor, masim, gppic, simpler, star, date24, exact };

constexpr const char* to_string(ScheduleMethod method) {
  switch (method) {
    case ScheduleMethod::nestor:
      return "nestor";
    case ScheduleMethod::masim:
      return "masim";
    case ScheduleMethod::gppic:
      return "gppic";
    case ScheduleMethod::simpler:
      return "simpler";
    case ScheduleMethod::star:
      return "star";
    case ScheduleMethod::date24:
      return "date24";
    case ScheduleMethod::exact:
      return "exact";
  }
  return "?";
}

/// What a schedule is judged by, docs/models/simd.md (3.1) or (3.2). Where nodes are computed once and all
/// copies cost alike the two agree.
enum class ScheduleObjective : std::uint8_t { copies, energy };

constexpr const char* to_string(ScheduleObjective objective) {
  return objective == ScheduleObjective::copies ? "copies" : "energy";
}

}  // namespace nestor::simd
