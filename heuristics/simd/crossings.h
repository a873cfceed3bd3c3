// Number of times that values must cross from the array that makes them to another that reads them, as far as
// the arrays of gates alone tell: a value that is read in k arrays other than its own is copied at least k
// times. Evictions come on top, so that this is a floor under the evaluator's count, at the price of a few
// lookups.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/evaluator.h"

namespace nestor::simd {

class Crossings {
 public:
  Crossings(const Sequence& sequence, const WorkingArrays& working);

  /// Of all values that one of the gates makes or reads.
  std::uint32_t around(const std::vector<std::uint32_t>& gates);
  /// Of one value.
  std::uint32_t of(Value value) const;

 private:
  const Sequence* sequence_;
  std::vector<std::uint16_t> home_;  ///< per input: the working array that holds it, as a bit
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
};

}  // namespace nestor::simd
