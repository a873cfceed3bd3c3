// Lower bounds on a tasklet's slots for its part of a kernel, before any code is written: for a block,
// whatever the order of loops, and for a point, whatever the block. The bounds of the mapping space stand on
// it.
//
// Why it is safe. Every point needs the region's operations and a load of each input that the region uses. An
// output lives in a value only if no loop over its elements lies inside a step loop over what is summed
// (docs/models/cnm.md, "Lowering"); else each point loads and stores it, and a loop that stores walks by
// indices: an address for each operand, a counter and a branch. Others walk by pointers. The innermost loop
// over elements has at most the largest factor of the block as trips; each time it is entered anew, the loop
// around it takes its counter and branch and moves on at least the inputs that use its dim. (Outputs that are
// gathered may leave one step in three without a loop.)
#pragma once

#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

class LeastSlots {
 public:
  LeastSlots(const Kernel& kernel, const System& system);

  /// Of a point, whatever the block.
  double of_point() const { return of_point_; }
  /// Of so many points of one tasklet, whatever the block.
  double of_points(double points) const { return points > 1 ? points * of_many_ : points * of_point_; }
  /// Of a tasklet, requests left out.
  double of_block(const std::vector<Int>& local, const std::vector<Int>& block) const;

 private:
  struct Access {
    double load = 0;   ///< 0: the region does not use it
    double store = 0;  ///< of an output
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
  double inputs_ = 0;  ///< that the region uses
  double add_ = 0, move_ = 0, index_ = 0;
  std::vector<Access> access_;  ///< by operand
  double of_point_ = 0;
  double of_many_ = 0;  ///< of each point where a tasklet has several
};

}  // namespace nestor::cnm
