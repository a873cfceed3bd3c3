#include "solver/simplex/primal.h"

#include <algorithm>
#include <cmath>

namespace nestor::simplex {
namespace {

constexpr double weight_limit = 1e7;  // larger Devex weights cause a new reference framework
constexpr double widening = 1e-6;

}  // namespace

void PrimalSimplex::refresh() {
  core_.refactor();
  any_rejected_ = false;
}

// Prices the sum of violations: basic variables have cost -1 below their lower bound and +1 above their upper
// bound. Returns false if no bound is violated.
bool PrimalSimplex::set_up_phase_one() {
  multipliers_.clear();
  for (Index r = 0; r < core_.rows; ++r) {
    const double violation = core_.violation(core_.head[r]);
    if (violation != 0) multipliers_.set(r, violation < 0 ? -1.0 : 1.0);
  }
  if (multipliers_.index.empty()) return false;
  core_.factors.backward(multipliers_);
  core_.price(multipliers_, alpha_);
  phase_one_.assign(core_.total, 0.0);
  for (const Index j : alpha_.index)
    if (core_.place[j] != Place::basic) phase_one_[j] = -alpha_.value[j];
  return true;
}

Index PrimalSimplex::choose_column() const {
  Index best = no_index;
  double best_merit = 0;
  for (Index j = 0; j < core_.total; ++j) {
    if (core_.place[j] == Place::basic || core_.is_fixed(j)) continue;
    const double d = (*reduced_)[j];
    if (std::abs(d) <= core_.dual_tolerance) continue;
    if (core_.place[j] == Place::at_lower && d > 0) continue;
    if (core_.place[j] == Place::at_upper && d < 0) continue;
    if (any_rejected_ && rejected_[j]) continue;
    if (bland_) return j;
    const double merit = d * d / weight_[j];
    if (merit > best_merit) {
      best_merit = merit;
      best = j;
    }
  }
  return best;
}

// Collects the points at which basic variables meet a bound when the entering variable moves, with the change
// in slope at each point.
void PrimalSimplex::collect_kinks(double sign) {
  kinks_.clear();
  for (const Index r : direction_.index) {
    const double rate = -sign * direction_.value[r];
    const double size = std::abs(rate);
    if (size < zero_tolerance) continue;
    const Index j = core_.head[r];
    const double x = core_.value[j];
    const double violation = core_.violation(j);
    if (!std::isfinite(x) || !std::isfinite(size)) continue;
    if (rate > 0) {
      if (violation < 0) kinks_.push_back({(core_.lower[j] - x) / size, size, r, true});
      if (violation <= 0 && core_.upper[j] < infinity)
        kinks_.push_back({std::max(0.0, core_.upper[j] - x) / size, size, r, false});
    } else {
      if (violation > 0) kinks_.push_back({(x - core_.upper[j]) / size, size, r, false});
      if (violation >= 0 && core_.lower[j] > -infinity)
        kinks_.push_back({std::max(0.0, x - core_.lower[j]) / size, size, r, true});
    }
  }
}

PrimalSimplex::Block PrimalSimplex::ratio_test_phase_one(Index entering, double sign) {
  collect_kinks(sign);
  std::sort(kinks_.begin(), kinks_.end(),
            [](const Kink& a, const Kink& b) { return a.step != b.step ? a.step < b.step : a.row < b.row; });
  double slope = -std::abs(phase_one_[entering]);
  double largest = 0;
  std::size_t count = 0;
  while (count < kinks_.size() && slope < 0) {
    slope += kinks_[count].size;
    largest = std::max(largest, kinks_[count].size);
    ++count;
  }
  // Of the passed kinks, chooses the last whose pivot is not much smaller than the largest pivot among them.
  for (std::size_t k = count; k-- > 0;)
    if (kinks_[k].size >= 0.1 * largest) return {kinks_[k].row, kinks_[k].step, kinks_[k].to_lower};
  return {};
}

PrimalSimplex::Block PrimalSimplex::ratio_test_phase_two(double sign) const {
  double limit = infinity;
  for (int pass = 0; pass < 2; ++pass) {
    Block best;
    double best_size = 0;
    for (const Index r : direction_.index) {
      const double rate = -sign * direction_.value[r];
      const double size = std::abs(rate);
      if (size < zero_tolerance) continue;
      const Index j = core_.head[r];
      const double bound = rate < 0 ? core_.lower[j] : core_.upper[j];
      if (std::isinf(bound)) continue;
      const double room = rate < 0 ? core_.value[j] - bound : bound - core_.value[j];
      if (pass == 0) {
        const double slack = core_.primal_tolerance * (1 + std::abs(bound));
        limit = std::min(limit, (std::max(room, 0.0) + slack) / size);
      } else if (room <= limit * size && size > best_size) {
        best = {r, std::max(room, 0.0) / size, rate < 0};
        best_size = size;
      }
    }
    if (pass == 1) return best;
  }
  return {};
}

// Chooses the smallest step; the variable with the smallest index breaks ties. If the eligible variable with
// the smallest index enters, this rule cannot cycle (Bland 1977).
PrimalSimplex::Block PrimalSimplex::ratio_test_bland(double sign) const {
  Block best;
  for (const Index r : direction_.index) {
    const double rate = -sign * direction_.value[r];
    const double size = std::abs(rate);
    if (size < small_pivot) continue;
    const Index j = core_.head[r];
    const double bound = rate < 0 ? core_.lower[j] : core_.upper[j];
    if (std::isinf(bound)) continue;
    const double room = rate < 0 ? core_.value[j] - bound : bound - core_.value[j];
    const double step = std::max(room, 0.0) / size;
    if (step < best.step || (step == best.step && j < core_.head[best.row])) best = {r, step, rate < 0};
  }
  return best;
}

void PrimalSimplex::apply_flip(Index entering, double sign) {
  const double range = core_.upper[entering] - core_.lower[entering];
  for (const Index r : direction_.index) core_.value[core_.head[r]] -= sign * range * direction_.value[r];
  core_.place[entering] = core_.place[entering] == Place::at_lower ? Place::at_upper : Place::at_lower;
  core_.set_nonbasic(entering);
}

void PrimalSimplex::update_pricing(Index r, Index entering) {
  core_.backward_unit(r, multipliers_);
  core_.price(multipliers_, alpha_);
  const double pivot = direction_.value[r];
  const double dual_step = core_.reduced[entering] / pivot;
  const double reference = std::max(weight_[entering], 1.0);
  const Index leaving = core_.head[r];
  double largest = 0;
  for (const Index j : alpha_.index) {
    if (core_.place[j] == Place::basic || j == entering) continue;
    core_.reduced[j] -= dual_step * alpha_.value[j];
    const double ratio = alpha_.value[j] / pivot;
    weight_[j] = std::max(weight_[j], ratio * ratio * reference);
    largest = std::max(largest, weight_[j]);
  }
  core_.reduced[entering] = 0;
  core_.reduced[leaving] = -dual_step;
  weight_[leaving] = std::max(reference / (pivot * pivot), 1.0);
  if (std::max(largest, weight_[leaving]) > weight_limit) std::fill(weight_.begin(), weight_.end(), 1.0);
}

void PrimalSimplex::apply_pivot(Index entering, const Block& block, double sign) {
  update_pricing(block.row, entering);
  for (const Index r : direction_.index)
    core_.value[core_.head[r]] -= sign * block.step * direction_.value[r];
  core_.value[entering] += sign * block.step;
  const Index leaving = core_.head[block.row];
  core_.value[leaving] = block.to_lower ? core_.lower[leaving] : core_.upper[leaving];
  core_.exchange(block.row, entering, block.to_lower ? Place::at_lower : Place::at_upper, direction_);
}

// Moves the bounds of basic variables outward by random amounts, so that degenerate steps become positive
// (Wolfe's ad-hoc rule).
void PrimalSimplex::widen_bounds() {
  stalled_ = 0;
  for (const Index j : core_.head) {
    if (core_.lower[j] > -infinity)
      core_.lower[j] -= widening * (0.5 + core_.random.unit()) * (1 + std::abs(core_.lower[j]));
    if (core_.upper[j] < infinity)
      core_.upper[j] += widening * (0.5 + core_.random.unit()) * (1 + std::abs(core_.upper[j]));
  }
}

// Performs one pivot or flip. Returns an outcome if the run has ended.
std::optional<SimplexOutcome> PrimalSimplex::iterate() {
  const bool phase_one = set_up_phase_one();
  reduced_ = phase_one ? &phase_one_ : &core_.reduced;
  const Index entering = choose_column();
  if (entering == no_index) {
    if (core_.is_fresh() && !any_rejected_)
      return phase_one ? SimplexOutcome::infeasible : SimplexOutcome::optimal;
    if (core_.is_fresh()) return SimplexOutcome::trouble;  // all remaining columns were rejected
    refresh();
    return std::nullopt;
  }
  core_.forward_column(entering, direction_);
  const double sign = (*reduced_)[entering] < 0 ? 1.0 : -1.0;
  Block block = bland_ && !phase_one ? ratio_test_bland(sign)
                : phase_one          ? ratio_test_phase_one(entering, sign)
                                     : ratio_test_phase_two(sign);
  const double range = core_.upper[entering] - core_.lower[entering];
  if (range <= block.step && range < infinity) {
    apply_flip(entering, sign);
    ++core_.iterations;
    return std::nullopt;
  }
  const bool blocked = block.row != no_index;
  if (!blocked || std::abs(direction_.value[block.row]) < small_pivot) {
    if (!core_.is_fresh()) {
      refresh();
      return std::nullopt;
    }
    if (!blocked && !phase_one) {
      ray_variable_ = entering;
      ray_sign_ = sign;
      return SimplexOutcome::unbounded;
    }
    rejected_.resize(core_.total);
    if (!any_rejected_) std::fill(rejected_.begin(), rejected_.end(), 0);
    rejected_[entering] = 1;
    any_rejected_ = true;
    return std::nullopt;
  }
  stalled_ = block.step < 1e-12 ? stalled_ + 1 : (stalled_ > 0 ? stalled_ - 1 : 0);
  apply_pivot(entering, block, sign);
  ++core_.iterations;
  any_rejected_ = false;
  return std::nullopt;
}

SimplexOutcome PrimalSimplex::run(bool may_perturb, bool bland) {
  for (auto* vector : {&direction_, &multipliers_})
    if (vector->value.size() != core_.rows) vector->resize(core_.rows);
  if (alpha_.value.size() != core_.total) alpha_.resize(core_.total);
  weight_.assign(core_.total, 1.0);
  bland_ = bland;
  any_rejected_ = false;
  stalled_ = 0;
  std::uint64_t idle = 0;
  while (true) {
    if (core_.must_end()) return SimplexOutcome::limit;
    core_.refactor_if_long();
    if (may_perturb && stalled_ > 20 + core_.rows / 20) widen_bounds();
    const auto before = core_.iterations;
    if (const auto outcome = iterate()) return *outcome;
    idle = core_.iterations == before ? idle + 1 : 0;
    if (idle > 50 + core_.total) return SimplexOutcome::trouble;
  }
}

}  // namespace nestor::simplex
