// Crossings: the minimum number of copies between arrays, given only the array of each gate. A value that is
// read in k arrays other than its own has k crossings, because it is copied at least k times. Evictions add
// further copies, so the crossings are a lower bound on the evaluator's count. Computing the crossings of a
// value takes only a few lookups.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/evaluator.h"

namespace nestor::simd {

class Crossings {
 public:
  Crossings(const Sequence& sequence, const WorkingArrays& working);

  /// Returns the crossings of all values that one of the gates computes or reads.
  std::uint32_t around(const std::vector<std::uint32_t>& gates);
  /// Returns the crossings of one value.
  std::uint32_t of(Value value) const;

 private:
  const Sequence* sequence_;
  std::vector<std::uint16_t> home_;  ///< for each input, the bit of its home, or 0
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
};

}  // namespace nestor::simd
