// Which variable enters when the dual simplex has chosen a row to leave. Reduced costs reach zero one after
// the other as the dual step grows; boxed variables whose reduced cost changes sign can flip to their other
// bound as long as the row's violation is not used up (the long step). Among the last ones, almost tied
// within the tolerance (Harris), the largest pivot element wins.
#pragma once

#include "solver/simplex/core.h"

namespace nestor::simplex {

class DualRatioTest {
 public:
  enum class Result : std::uint8_t { found, none };

  /// `alpha` is the leaving row over the variables, `violation` as Core::violation gives it.
  Result run(const Core& core, const SparseVector& alpha, double violation);

  Index entering() const { return entering_; }
  /// Variables that the long step passes: to be flipped.
  const std::vector<Index>& flips() const { return flips_; }
  /// Others tied with the entering one: their reduced costs may need a shift.
  const std::vector<Index>& tied() const { return tied_; }

 private:
  struct Candidate {
    Index variable;
    double size;     ///< |alpha|
    double reduced;  ///< reduced cost in the direction that keeps it feasible when >= 0
    double range;
  };

  void collect(const Core& core, const SparseVector& alpha, double direction);
  std::size_t next_group(std::size_t begin, double tolerance);

  std::vector<Candidate> candidates_;
  Index entering_ = no_index;
  std::vector<Index> flips_, tied_;
};

}  // namespace nestor::simplex
