// Lower bounds on the number of slots in which a tasklet computes its part of a kernel, without generating
// code: for a block, regardless of the order of loops, and for a point, regardless of the block. The bounds
// of the mapping space are based on them.
//
// Safety: every point needs the region's operations and a load of each input that the region uses. An output
// is kept in a value only if no loop over its elements is inside a step loop over a reduced dim
// (docs/models/cnm.md, "Lowering"). Otherwise each point loads and stores it, and a loop that stores uses
// indices: an address for each operand, a counter and a branch. Other loops use pointers. The innermost loop
// over elements has at most the largest factor of the block as trips. Each time it is entered, the loop
// around it executes its counter and branch and increments at least the inputs that use its dim. (If outputs
// are gathered, one step in three may have no loop.)
#pragma once

#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

class LeastSlots {
 public:
  LeastSlots(const Kernel& kernel, const System& system);

  /// Returns a bound for one point, regardless of the block.
  double of_point() const { return of_point_; }
  /// Returns a bound for this number of points of one tasklet, regardless of the block.
  double of_points(double points) const { return points > 1 ? points * of_many_ : points * of_point_; }
  /// Returns a bound for all points of a tasklet with this block. Slots of requests are not included.
  double of_block(const std::vector<Int>& local, const std::vector<Int>& block) const;

 private:
  struct Access {
    double load = 0;   ///< 0 if the region does not use the operand
    double store = 0;  ///< only for outputs
    bool used = false;
  };
  double of_one_of_many() const;
  double per_entry(const std::vector<Int>& local) const;
  bool may_be_gathered(const std::vector<Int>& local, const std::vector<Int>& block) const;
  bool stays_in_buffer(const KernelOperand& operand, const std::vector<Int>& local,
                       const std::vector<Int>& block) const;

  const Kernel& kernel_;
  const System& system_;
  double operations_ = 0, loads_ = 0;
  double inputs_ = 0;  ///< number of inputs that the region uses
  double add_ = 0, move_ = 0, index_ = 0;
  std::vector<Access> access_;  ///< accesses of each operand
  double of_point_ = 0;
  double of_many_ = 0;  ///< per point, if a tasklet has several points
};

}  // namespace nestor::cnm
