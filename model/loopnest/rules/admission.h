// Admission of layers to loop-nest spaces: why a layer is refused on a machine, and the product that says
// whether all figures of all its mappings fit 64 bits. Each space says at its own entry
// (model/SPACE/search/admission.h) which product bounds them.
#pragma once

#include "base/checked.h"
#include "model/loopnest/hierarchy.h"
#include "model/loopnest/layer.h"

namespace nestor {

enum class Refusal : std::uint8_t {
  none,
  too_large,               ///< figures might not fit
  nonpositive,             ///< a bound, stride, dilation or width below 1
  operand_without_memory,  ///< an operand has fewer than two memories
  row_too_short,           ///< a DRAM row does not hold one element of some operand
  no_coordinates,          ///< an operand in DRAM depends on more dimensions than its tensor has coordinates
  groups,                  ///< the space has no groups as a dimension
};

/// The layer by itself, and whether the hierarchy has room for its operands at all.
Refusal refuse_operands(const LayerShape& layer, const Hierarchy& machine);

/// A product of positive factors that notices when it grows beyond what a door lets in.
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
