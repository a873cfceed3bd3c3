// Methods and objectives of compiling a network for a chip, as named in options and results.
#pragma once

#include <cstdint>

#include "base/enum_words.h"

namespace nestor::chip {

/// Method: the proved optimum, or a method for comparison (docs/models/chip.md, section 7).
enum class CompileMethod : std::uint8_t {
  optimal,
  cim_mlc,
  cim_mlc_code,
  poly_schedule,
  duplication,
  pipeline,
  sequential
};

inline constexpr auto compile_methods =
    enum_words<CompileMethod>({{CompileMethod::optimal, "optimal"},
                               {CompileMethod::cim_mlc, "cim-mlc"},
                               {CompileMethod::cim_mlc_code, "cim-mlc-code"},
                               {CompileMethod::poly_schedule, "poly-schedule"},
                               {CompileMethod::duplication, "duplication"},
                               {CompileMethod::pipeline, "pipeline"},
                               {CompileMethod::sequential, "sequential"}});
constexpr std::string_view to_string(CompileMethod method) { return compile_methods.word(method); }

enum class CompileObjective : std::uint8_t { latency, energy, peak_power };

/// Figures of a compiled network that can be minimised or limited.
inline constexpr auto compile_objectives =
    enum_words<CompileObjective>({{CompileObjective::latency, "latency"},
                                  {CompileObjective::energy, "energy"},
                                  {CompileObjective::peak_power, "peak-power"}});
constexpr std::string_view to_string(CompileObjective objective) {
  return compile_objectives.word(objective);
}

/// Returns the figure that breaks ties between schedules of equal objective.
constexpr CompileObjective tie_breaker(CompileObjective objective) {
  return objective == CompileObjective::latency ? CompileObjective::energy : CompileObjective::latency;
}

}  // namespace nestor::chip
