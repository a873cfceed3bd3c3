// How a network is compiled to a chip, and for what, as options and results name it.
#pragma once

#include <cstdint>

namespace nestor::chip {

/// The proved optimum, or one of the methods to compare with (docs/models/chip.md, section 7).
enum class CompileMethod : std::uint8_t { optimal, cim_mlc, duplication, pipeline, sequential };

constexpr const char* to_string(CompileMethod method) {
  switch (method) {
    case CompileMethod::optimal:
      return "optimal";
    case CompileMethod::cim_mlc:
      return "cim-mlc";
    case CompileMethod::duplication:
      return "duplication";
    case CompileMethod::pipeline:
      return "pipeline";
    case CompileMethod::sequential:
      return "sequential";
  }
  return "?";
}

enum class CompileObjective : std::uint8_t { latency, energy, peak_power };

constexpr const char* to_string(CompileObjective objective) {
  return objective == CompileObjective::latency  ? "latency"
         : objective == CompileObjective::energy ? "energy"
                                                 : "peak-power";
}

}  // namespace nestor::chip
