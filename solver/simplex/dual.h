// Bounded dual simplex. It starts from a dual feasible basis and pivots on violated rows until no row is
// violated. To make a basis dual feasible, boxed variables are flipped to the bound that matches the sign of
// their reduced cost, and the costs of other variables are shifted. Rows are chosen by steepest edge, with a
// long-step ratio test (Maros 2003; Koberstein 2005, chapters 3 and 6). Costs are perturbed when the search
// stalls. Shifts and perturbations remain in Core::cost; the caller removes them and reoptimises.
#pragma once

#include "solver/simplex/core.h"
#include "solver/simplex/dual_ratio_test.h"

namespace nestor::simplex {

enum class SimplexOutcome : std::uint8_t { optimal, infeasible, unbounded, limit, trouble };

class DualSimplex {
 public:
  explicit DualSimplex(Core& core) : core_(core) {}

  /// Runs the dual simplex. `optimal` means primal feasible, and dual feasible for Core::cost. After
  /// `infeasible`, farkas_multipliers() returns the certificate.
  SimplexOutcome run(bool may_perturb);
  const SparseVector& farkas_multipliers() const { return multipliers_; }

 private:
  enum class Step : std::uint8_t { done, again, infeasible };

  void make_dual_feasible();
  void perturb_costs();
  Index choose_row();
  Step iterate(Index r);
  Step reject(Index r);
  void flip(const std::vector<Index>& variables);
  void update_duals(Index r, Index entering, bool to_lower);
  void update_weights(Index r, double norm);

  Core& core_;
  DualRatioTest ratio_test_;
  SparseVector multipliers_, alpha_, direction_, tau_, shift_;
  std::vector<unsigned char> rejected_;
  bool any_rejected_ = false;
  bool perturbed_ = false;
  std::uint64_t stalled_ = 0;
};

}  // namespace nestor::simplex
