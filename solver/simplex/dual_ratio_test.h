// Choice of the entering variable after the dual simplex has chosen the leaving row. As the dual step grows,
// one reduced cost after another reaches zero. Boxed variables whose reduced cost changes sign can flip to
// their other bound until the row's violation is used up (the long step). Among the remaining candidates that
// are tied within the tolerance (Harris), the largest pivot element wins.
#pragma once

#include "solver/simplex/core.h"

namespace nestor::simplex {

class DualRatioTest {
 public:
  enum class Result : std::uint8_t { found, none };

  /// Chooses the entering variable. `alpha` is the leaving row over all variables; `violation` is
  /// Core::violation of the leaving variable.
  Result run(const Core& core, const SparseVector& alpha, double violation);

  Index entering() const { return entering_; }
  /// Variables that the long step passes and that must be flipped.
  const std::vector<Index>& flips() const { return flips_; }
  /// Other variables tied with the entering variable; their costs may need a shift.
  const std::vector<Index>& tied() const { return tied_; }

 private:
  struct Candidate {
    Index variable;
    double size;     ///< |alpha|
    double reduced;  ///< reduced cost, with the sign chosen so that >= 0 is feasible
    double range;
  };

  void collect(const Core& core, const SparseVector& alpha, double direction);
  std::size_t next_group(std::size_t begin, double tolerance);

  std::vector<Candidate> candidates_;
  Index entering_ = no_index;
  std::vector<Index> flips_, tied_;
};

}  // namespace nestor::simplex
