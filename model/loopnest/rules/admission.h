// Admission of layers to loop-nest spaces: the reason why a machine rejects a layer, and a product that shows
// whether all quantities computed for the layer's mappings fit 64 bits. Each space defines the product that
// bounds its quantities in model/SPACE/search/admission.h.
#pragma once

#include "base/checked.h"
#include "model/loopnest/hierarchy.h"
#include "model/loopnest/layer.h"

namespace nestor {

enum class Refusal : std::uint8_t {
  none,
  too_large,               ///< computed quantities might not fit 64 bits
  nonpositive,             ///< a bound, stride, dilation or width below 1
  operand_without_memory,  ///< an operand has fewer than two memories
  row_too_short,           ///< a DRAM row is smaller than one element of some operand
  no_coordinates,          ///< an operand in DRAM depends on more dimensions than its tensor has coordinates
  groups,                  ///< the space does not support groups
};

/// Returns `nonpositive` or `operand_without_memory` if that reason applies; otherwise `none`.
Refusal refuse_operands(const LayerShape& layer, const Hierarchy& machine);

/// A value built from products and sums of positive numbers that detects when it reaches the limit of 2^62.
class AdmittedProduct {
 public:
  void times(Int factor) { value_ = value_ ? checked_multiply(*value_, factor) : std::nullopt; }
  void times_sum(Int a, Int b) {
    const auto sum = checked_add(a, b);
    value_ = value_ && sum ? checked_multiply(*value_, *sum) : std::nullopt;
  }
  void plus(Int term) { value_ = value_ ? checked_add(*value_, term) : std::nullopt; }
  bool fits() const { return value_ && *value_ < limit; }

 private:
  static constexpr Int limit = Int{1} << 62U;
  std::optional<Int> value_ = 1;
};

}  // namespace nestor
