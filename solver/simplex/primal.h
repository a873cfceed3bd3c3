// Bounded primal simplex. While basic variables violate their bounds, it minimises the sum of violations, a
// piecewise linear function whose kinks a step may pass. Then it minimises the cost. It uses Devex pricing
// (Harris 1973) and a two-pass ratio test. Bounds of basic variables are widened at random after many
// degenerate steps, and Bland's rule is available on request. Widened bounds remain in Core; the caller
// restores them and reoptimises.
#pragma once

#include <optional>

#include "solver/simplex/core.h"
#include "solver/simplex/dual.h"

namespace nestor::simplex {

class PrimalSimplex {
 public:
  explicit PrimalSimplex(Core& core) : core_(core) {}

  SimplexOutcome run(bool may_perturb, bool bland);
  /// After `infeasible`, returns the row multipliers of the certificate.
  const SparseVector& farkas_multipliers() const { return multipliers_; }
  /// After `unbounded`, return the variable that changes without limit, the sign of its change, and B^-1
  /// times its column.
  Index ray_variable() const { return ray_variable_; }
  double ray_sign() const { return ray_sign_; }
  const SparseVector& ray_direction() const { return direction_; }

 private:
  struct Block {
    Index row = no_index;  ///< row that blocks the step, or no_index if none does
    double step = infinity;
    bool to_lower = false;
  };
  struct Kink {
    double step;
    double size;
    Index row;
    bool to_lower;
  };

  std::optional<SimplexOutcome> iterate();
  bool set_up_phase_one();
  Index choose_column() const;
  Block ratio_test_phase_one(Index entering, double sign);
  Block ratio_test_phase_two(double sign) const;
  Block ratio_test_bland(double sign) const;
  void collect_kinks(double sign);
  void apply_flip(Index entering, double sign);
  void apply_pivot(Index entering, const Block& block, double sign);
  void update_pricing(Index r, Index entering);
  void widen_bounds();
  void refresh();

  Core& core_;
  SparseVector direction_, multipliers_, alpha_;
  std::vector<double> weight_;     ///< Devex weights, by variable
  std::vector<double> phase_one_;  ///< reduced costs of the sum of violations
  const std::vector<double>* reduced_ = nullptr;
  std::vector<Kink> kinks_;
  std::vector<unsigned char> rejected_;
  bool any_rejected_ = false;
  bool bland_ = false;
  std::uint64_t stalled_ = 0;
  Index ray_variable_ = no_index;
  double ray_sign_ = 1;
};

}  // namespace nestor::simplex
