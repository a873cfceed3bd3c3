// What instructions cost in energy, in units of one compute (docs/models/simd.md (3.2)).
#pragma once

namespace nestor::simd {

struct InstructionEnergy {
  double per_compute = 1;
  double per_copy = 1.87;
};

}  // namespace nestor::simd
