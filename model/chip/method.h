// How a network is compiled to a chip, and for what, as options and results name it.
#pragma once

#include <cstdint>

namespace nestor::chip {

/// The proved optimum, or one of the methods to compare with (docs/models/chip.md, section 7).
enum class Method : std::uint8_t { optimal, cim_mlc, duplication, pipeline, sequential };

constexpr const char* to_string(Method method) {
  switch (method) {
    case Method::optimal:
      return "optimal";
    case Method::cim_mlc:
      return "cim-mlc";
    case Method::duplication:
      return "duplication";
    case Method::pipeline:
      return "pipeline";
    case Method::sequential:
      return "sequential";
  }
  return "?";
}

enum class Objective : std::uint8_t { latency, energy, peak_power };

constexpr const char* to_string(Objective objective) {
  return objective == Objective::latency  ? "latency"
         : objective == Objective::energy ? "energy"
                                          : "peak-power";
}

}  // namespace nestor::chip
