#include "solver/simplex/dual.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nestor::simplex {
namespace {

// Smaller pivots are never accepted. Pivots below small_pivot are accepted only with a fresh factorization.
constexpr double tiny_pivot = 1e-9;
// The pivots computed by row and by column must agree within this tolerance; otherwise the factors are
// inaccurate.
constexpr double pivot_agreement = 1e-6;
constexpr double smallest_weight = 1e-4;
constexpr double perturbation = 5e-7;

}  // namespace

void DualSimplex::make_dual_feasible() {
  bool moved = false;
  for (Index j = 0; j < core_.total; ++j) {
    if (core_.dual_violation(j) <= core_.dual_tolerance) continue;
    if (core_.is_boxed(j)) {
      core_.place[j] = core_.reduced[j] > 0 ? Place::at_lower : Place::at_upper;
      moved = true;
    } else {
      core_.cost[j] -= core_.reduced[j];
      core_.reduced[j] = 0;
    }
  }
  if (moved) core_.compute_primals();
}

// Perturbs the costs against degeneracy, in the direction that keeps the reduced costs feasible.
void DualSimplex::perturb_costs() {
  perturbed_ = true;
  stalled_ = 0;
  for (Index j = 0; j < core_.total; ++j) {
    const double amount = perturbation * (1 + std::abs(core_.cost[j])) * (1 + core_.random.unit());
    if (core_.is_fixed(j) || core_.is_free(j)) continue;
    const bool lower_only = core_.upper[j] == infinity;
    const bool upper_only = core_.lower[j] == -infinity;
    bool up = lower_only || (!upper_only && core_.cost[j] >= 0);
    if (core_.place[j] == Place::at_lower) up = true;
    if (core_.place[j] == Place::at_upper) up = false;
    core_.cost[j] += up ? amount : -amount;
  }
  core_.compute_duals();
  make_dual_feasible();
}

Index DualSimplex::choose_row() {
  Index best = no_index;
  double best_merit = 0;
  for (Index r = 0; r < core_.rows; ++r) {
    const double violation = core_.violation(core_.head[r]);
    if (violation == 0) continue;
    if (any_rejected_ && rejected_[r]) continue;
    const double merit = violation * violation / core_.dual_weight[r];
    if (merit > best_merit) {
      best_merit = merit;
      best = r;
    }
  }
  return best;
}

void DualSimplex::flip(const std::vector<Index>& variables) {
  if (variables.empty()) return;
  shift_.clear();
  for (const Index j : variables) {
    core_.place[j] = core_.place[j] == Place::at_lower ? Place::at_upper : Place::at_lower;
    const double old = core_.value[j];
    core_.set_nonbasic(j);
    for (const Entry& entry : core_.column(j)) shift_.add(entry.index, -entry.value * (core_.value[j] - old));
  }
  core_.factors.forward(shift_);
  for (const Index r : shift_.index) core_.value[core_.head[r]] += shift_.value[r];
}

void DualSimplex::update_duals(Index r, Index entering, bool to_lower) {
  double step = core_.reduced[entering] / alpha_.value[entering];
  // A step of the wrong sign would lower the dual objective, so the cost of the entering variable is shifted
  // to make the step zero.
  if (to_lower ? step > 0 : step < 0) {
    core_.cost[entering] -= core_.reduced[entering];
    step = 0;
  }
  if (std::abs(step) * core_.dual_weight[r] < 1e-12)
    ++stalled_;
  else if (stalled_ > 0)
    --stalled_;
  if (step != 0)
    for (const Index j : alpha_.index)
      if (core_.place[j] != Place::basic) core_.reduced[j] -= step * alpha_.value[j];
  for (const Index j : ratio_test_.tied())
    if (core_.dual_violation(j) > 0) {
      core_.cost[j] -= core_.reduced[j];
      core_.reduced[j] = 0;
    }
  core_.reduced[entering] = 0;
  core_.reduced[core_.head[r]] = -step;
}

void DualSimplex::update_weights(Index r, double norm) {
  const double pivot = direction_.value[r];
  for (const Index i : direction_.index) {
    if (i == r) continue;
    const double ratio = direction_.value[i] / pivot;
    const double weight = core_.dual_weight[i] + ratio * (ratio * norm - 2 * tau_.value[i]);
    core_.dual_weight[i] = std::max(weight, smallest_weight);
  }
  core_.dual_weight[r] = std::max(norm / (pivot * pivot), smallest_weight);
}

DualSimplex::Step DualSimplex::reject(Index r) {
  if (!core_.is_fresh()) {
    core_.refactor();
    make_dual_feasible();
    return Step::again;
  }
  rejected_.resize(core_.rows);
  if (!any_rejected_) std::fill(rejected_.begin(), rejected_.end(), 0);
  rejected_[r] = 1;
  any_rejected_ = true;
  return Step::again;
}

DualSimplex::Step DualSimplex::iterate(Index r) {
  core_.backward_unit(r, multipliers_);
  const double norm = multipliers_.squared_norm();
  const double believed = std::exchange(core_.dual_weight[r], norm);
  if (believed < 0.25 * norm) return Step::again;  // the row was chosen with a wrong weight
  core_.price(multipliers_, alpha_);
  const double violation = core_.violation(core_.head[r]);
  if (ratio_test_.run(core_, alpha_, violation) == DualRatioTest::Result::none) {
    if (core_.is_fresh()) return Step::infeasible;
    core_.refactor();
    make_dual_feasible();
    return Step::again;
  }
  const Index entering = ratio_test_.entering();
  core_.forward_column(entering, direction_);
  const double pivot = direction_.value[r];
  const double size = std::abs(pivot);
  if (size < (core_.is_fresh() ? tiny_pivot : small_pivot)) return reject(r);
  if (std::abs(pivot - alpha_.value[entering]) > pivot_agreement * (1 + size)) return reject(r);

  flip(ratio_test_.flips());
  tau_.clear();
  for (const Index i : multipliers_.index) tau_.set(i, multipliers_.value[i]);
  core_.factors.forward(tau_);
  const bool to_lower = violation < 0;
  update_duals(r, entering, to_lower);
  update_weights(r, norm);

  const Index leaving = core_.head[r];
  const double target = to_lower ? core_.lower[leaving] : core_.upper[leaving];
  const double step = (core_.value[leaving] - target) / pivot;
  for (const Index i : direction_.index) core_.value[core_.head[i]] -= step * direction_.value[i];
  core_.value[entering] += step;
  core_.value[leaving] = target;
  core_.exchange(r, entering, to_lower ? Place::at_lower : Place::at_upper, direction_);
  ++core_.iterations;
  any_rejected_ = false;
  return Step::done;
}

SimplexOutcome DualSimplex::run(bool may_perturb) {
  for (auto* vector : {&multipliers_, &direction_, &tau_, &shift_})
    if (vector->value.size() != core_.rows) vector->resize(core_.rows);
  if (alpha_.value.size() != core_.total) alpha_.resize(core_.total);
  any_rejected_ = false;
  perturbed_ = false;
  stalled_ = 0;
  make_dual_feasible();
  std::uint64_t idle = 0;  // consecutive iterations without a pivot
  while (true) {
    if (core_.must_end()) return SimplexOutcome::limit;
    if (may_perturb && !perturbed_ && stalled_ > 20 + core_.rows / 20) perturb_costs();
    if (!core_.is_fresh()) {
      const auto before = core_.factors.updates();
      core_.refactor_if_long();
      if (core_.factors.updates() != before) make_dual_feasible();
    }
    const Index r = choose_row();
    if (r == no_index) {
      if (any_rejected_) return SimplexOutcome::trouble;
      if (core_.is_fresh()) return SimplexOutcome::optimal;
      core_.refactor();
      make_dual_feasible();
      if (++idle > 50) return SimplexOutcome::trouble;
      continue;
    }
    const auto pivots = core_.iterations;
    const Step step = iterate(r);
    if (step == Step::infeasible) return SimplexOutcome::infeasible;
    idle = core_.iterations == pivots ? idle + 1 : 0;
    if (idle > 50 + core_.rows) return SimplexOutcome::trouble;
  }
}

}  // namespace nestor::simplex
