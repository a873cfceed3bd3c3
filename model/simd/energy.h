// What instructions cost in energy, in units of one compute (docs/models/simd.md, section 3: a copy costs
// 1.87 times as much).
#pragma once

namespace nestor::simd {

struct InstructionEnergy {
  double per_compute = 1;
  double per_copy = 1.87;
};

}  // namespace nestor::simd
