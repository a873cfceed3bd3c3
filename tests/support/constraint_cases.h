// Random constraints on a loop-nest machine, as `--fix` specifies them. Shares no code with the
// implementation of constraints.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/loopnest/constraints.h"
#include "model/loopnest/hierarchy.h"
#include "model/loopnest/layer.h"

namespace nestor::tests {

/// Returns one to three constraints that depend only on the arguments. Constraints on outermost loops copy
/// `loops`, so that they are usually satisfiable.
Constraints random_constraints(std::uint64_t seed, const LayerShape& layer, const Hierarchy& machine,
                               const FixedVector<Loop, max_loops>& loops);

/// Number of constraints drawn of each kind.
class ConstraintTally {
 public:
  void add(const Constraints& constraints);
  std::string to_string() const;
  int least() const;

 private:
  std::array<int, 7> counts_{};  // in the order of `words` in the .cpp file
};

}  // namespace nestor::tests
