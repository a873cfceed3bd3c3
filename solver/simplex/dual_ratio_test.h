// Choice of the entering variable after the dual simplex has chosen a row to leave. As the dual step grows,
// one reduced cost after another reaches zero. Boxed variables whose reduced cost changes sign can flip to
// their other bound until the row's violation is used up (the long step). Among the last ones, which are tied
// within the tolerance (Harris), the largest pivot element wins.
#pragma once

#include "solver/simplex/core.h"

namespace nestor::simplex {

class DualRatioTest {
 public:
  enum class Result : std::uint8_t { found, none };

  /// `alpha` is the leaving row over the variables; `violation` is that of Core::violation.
  Result run(const Core& core, const SparseVector& alpha, double violation);

  Index entering() const { return entering_; }
  /// Variables that the long step passes and that must be flipped.
  const std::vector<Index>& flips() const { return flips_; }
  /// Other variables tied with the entering one; their reduced costs may need a shift.
  const std::vector<Index>& tied() const { return tied_; }

 private:
  struct Candidate {
    Index variable;
    double size;     ///< |alpha|
    double reduced;  ///< reduced cost, with the sign that makes it feasible when >= 0
    double range;
  };

  void collect(const Core& core, const SparseVector& alpha, double direction);
  std::size_t next_group(std::size_t begin, double tolerance);

  std::vector<Candidate> candidates_;
  Index entering_ = no_index;
  std::vector<Index> flips_, tied_;
};

}  // namespace nestor::simplex
