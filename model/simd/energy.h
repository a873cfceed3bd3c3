// What instructions cost in energy, in units of one compute (docs/models/simd.md (3.2)).
#pragma once

namespace nestor::simd {

inline constexpr double compute_energy = 1;
inline constexpr double copy_energy = 1.87;

/// (3.2)
constexpr double energy_of(double computes, double copies) {
  return computes * compute_energy + copies * copy_energy;
}

}  // namespace nestor::simd
