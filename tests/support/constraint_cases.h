// Random constraints on a loop-nest machine, as `--fix` has them. Nothing here is shared with what honours
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/loopnest/constraints.h"
#include "model/loopnest/hierarchy.h"
#include "model/loopnest/layer.h"

namespace nestor::testing {

/// One to three constraints, a pure function of the seed. Outermost loops are those of `loops`, so that often
/// something is left.
Constraints random_constraints(std::uint64_t seed, const LayerShape& layer, const Hierarchy& machine,
                               const FixedVector<Loop, max_loops>& loops);

/// How often each kind was drawn.
class ConstraintTally {
 public:
  void add(const Constraints& constraints);
  std::string to_string() const;
  int least() const;

 private:
  std::array<int, 6> counts_{};  // in the order of `words` in the .cpp
};

}  // namespace nestor::testing
