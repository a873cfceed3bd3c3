// Methods of schedule by name, for the benches that take them as words.
#pragma once

#include <string_view>

#include "model/simd/method.h"

namespace nestor {

/// The default for a word that names none.
constexpr simd::ScheduleMethod schedule_method_named(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(simd::ScheduleMethod::exact); ++i)
    if (word == to_string(static_cast<simd::ScheduleMethod>(i))) return static_cast<simd::ScheduleMethod>(i);
  return simd::ScheduleMethod::nestor;
}

}  // namespace nestor
