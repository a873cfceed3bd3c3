// Energy of instructions, by default in units of the energy of one compute (docs/models/simd.md (3.2)).
#pragma once

#include <cstdint>

namespace nestor::simd {

/// Energy model for arrays on a line, in the order of their numbers.
struct EnergyModel {
  double compute = 1;
  double copy = 1.87;    ///< energy of a copy between neighbouring arrays
  double copy_step = 0;  ///< additional energy for every array that a copy passes over

  /// Returns the energy by (3.2).
  double of(std::uint64_t computes, std::uint64_t copies, std::uint64_t arrays_passed) const {
    return static_cast<double>(computes) * compute + static_cast<double>(copies) * copy +
           static_cast<double>(arrays_passed) * copy_step;
  }
};

/// Returns the number of arrays between two arrays, over which a copy passes.
constexpr std::uint32_t arrays_between(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t apart = a < b ? b - a : a - b;
  return apart == 0 ? 0 : apart - 1;
}

}  // namespace nestor::simd
