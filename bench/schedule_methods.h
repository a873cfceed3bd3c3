// Lookup of schedule methods by name, for benchmarks that select methods by options.
#pragma once

#include <string_view>

#include "model/simd/method.h"

namespace nestor {

/// Returns the method with this name, or the default for an unknown name.
constexpr simd::ScheduleMethod schedule_method_named(std::string_view word) {
  for (int i = 0; i <= static_cast<int>(simd::ScheduleMethod::exact); ++i)
    if (word == to_string(static_cast<simd::ScheduleMethod>(i))) return static_cast<simd::ScheduleMethod>(i);
  return simd::ScheduleMethod::nestor;
}

}  // namespace nestor
