#include "solver/simplex/simplex.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "solver/simplex/certificate.h"
#include "solver/simplex/core.h"
#include "solver/simplex/dual.h"
#include "solver/simplex/primal.h"

namespace nestor::simplex {
namespace {

// Settings of an attempt to solve the program. Each attempt after the first follows a failed one.
struct Attempt {
  bool other_method;
  bool from_scratch;  ///< start from the slack basis, with the opposite choice of scaling
  bool bland;
  double threshold;
  std::size_t update_limit;
  double tolerance_factor;
};

constexpr std::array<Attempt, 5> attempts{{{false, false, false, 0.1, 100, 1},
                                           {false, false, false, 0.5, 20, 1e-3},
                                           {true, false, false, 0.5, 20, 1e-2},
                                           {false, true, false, 0.5, 10, 1},
                                           {true, true, true, 0.9, 5, 1}}};

// Limit on the pivots of an attempt; beyond it, the attempt is assumed to cycle.
std::uint64_t pivot_limit(const Core& core) { return 10000 + 100 * std::uint64_t{core.total}; }

// Limits on rounds. A round runs the dual and then the primal simplex, each after the other's perturbations
// have been removed. Only the first rounds perturb. From bland_round on, the primal simplex uses Bland's
// rule.
constexpr int clean_up_rounds = 20;
constexpr int perturbed_rounds = 3;
constexpr int bland_round = 10;

}  // namespace

class Simplex::Driver {
 public:
  Driver(LinearProgram program, SimplexOptions options) : program_(std::move(program)), options_(options) {}

  LpStatus solve();
  Basis basis() const;
  void set_basis(const Basis& basis);
  void structure_changes() {
    if (!loaded_) return;
    kept_ = basis();
    loaded_ = false;
  }

  LinearProgram program_;
  SimplexOptions options_;
  LpSolution solution_;
  bool bounds_changed_ = false;
  bool costs_changed_ = false;

 private:
  void prepare(const Attempt& attempt);
  std::vector<Place> kept_places() const;
  SimplexOutcome run(bool primal_first, bool bland);
  bool dual_infeasible() const;
  LpStatus extract(SimplexOutcome outcome);
  void extract_values();
  void extract_farkas();
  void extract_ray();

  Core core_;
  DualSimplex dual_{core_};
  PrimalSimplex primal_{core_};
  Basis kept_;
  bool loaded_ = false;
  bool scaled_ = true;
  bool farkas_from_dual_ = true;
};

std::vector<Place> Simplex::Driver::kept_places() const {
  std::vector<Place> places(core_.total, Place::at_lower);
  for (Index j = 0; j < core_.columns; ++j)
    if (j < kept_.columns.size()) places[j] = kept_.columns[j];
  for (Index i = 0; i < core_.rows; ++i)
    places[core_.columns + i] = i < kept_.rows.size() ? kept_.rows[i] : Place::basic;
  return places;
}

void Simplex::Driver::prepare(const Attempt& attempt) {
  core_.primal_tolerance = options_.primal_tolerance * attempt.tolerance_factor;
  core_.dual_tolerance = options_.dual_tolerance * attempt.tolerance_factor;
  core_.threshold = attempt.threshold;
  core_.update_limit = attempt.update_limit;
  const bool scale = options_.scale != attempt.from_scratch;
  if (!loaded_ || scale != scaled_) {
    if (loaded_) kept_ = basis();
    core_.load(program_, scale);
    scaled_ = scale;
    loaded_ = true;
    if (!attempt.from_scratch) core_.set_basis(kept_places());
  } else if (bounds_changed_ || costs_changed_) {
    core_.reload_bounds(program_);
    if (costs_changed_) core_.reload_costs(program_);
    core_.compute_primals();
    core_.compute_duals();
  }
  if (attempt.from_scratch)
    core_.set_slack_basis();
  else if (&attempt != attempts.begin())
    core_.refactor();
  bounds_changed_ = costs_changed_ = false;
}

bool Simplex::Driver::dual_infeasible() const {
  for (Index j = 0; j < core_.total; ++j)
    if (core_.dual_violation(j) > core_.dual_tolerance) return true;
  return false;
}

// Runs the dual and the primal simplex in turn, each after removing the other's perturbations, until an
// outcome holds without perturbations.
SimplexOutcome Simplex::Driver::run(bool primal_first, bool bland) {
  for (int round = 0; round < clean_up_rounds; ++round) {
    const bool may_perturb = round < perturbed_rounds && !bland;
    if (round > 0 || !primal_first) {
      const SimplexOutcome outcome = dual_.run(may_perturb);
      farkas_from_dual_ = true;
      if (outcome != SimplexOutcome::optimal) return outcome;
      core_.restore_costs();
      if (!dual_infeasible()) return SimplexOutcome::optimal;
    }
    const SimplexOutcome outcome = primal_.run(may_perturb, bland || round >= bland_round);
    farkas_from_dual_ = false;
    if (outcome == SimplexOutcome::limit || outcome == SimplexOutcome::trouble) return outcome;
    core_.restore_bounds();
    if (core_.primal_infeasibility() > 0 && outcome != SimplexOutcome::infeasible) continue;
    return outcome;
  }
  return SimplexOutcome::trouble;
}

void Simplex::Driver::extract_values() {
  solution_.x.resize(core_.columns);
  solution_.reduced_cost.resize(core_.columns);
  solution_.row_activity.assign(core_.rows, 0.0);
  solution_.row_dual.resize(core_.rows);
  for (Index i = 0; i < core_.rows; ++i) {
    const Index logical = core_.columns + i;
    solution_.row_dual[i] = core_.reduced[logical] / core_.unit[logical] * core_.cost_unit;
  }
  solution_.objective = program_.offset();
  for (Index j = 0; j < core_.columns; ++j) {
    const double x = core_.value[j] * core_.unit[j];
    solution_.x[j] = x;
    solution_.objective += program_.cost(j) * x;
    double price = program_.cost(j);
    for (const Entry& entry : program_.column(j)) {
      solution_.row_activity[entry.index] += entry.value * x;
      price -= entry.value * solution_.row_dual[entry.index];
    }
    solution_.reduced_cost[j] = core_.place[j] == Place::basic ? 0 : price;
  }
}

void Simplex::Driver::extract_farkas() {
  const SparseVector& multipliers =
      farkas_from_dual_ ? dual_.farkas_multipliers() : primal_.farkas_multipliers();
  solution_.farkas.assign(core_.rows, 0.0);
  for (const Index i : multipliers.index)
    solution_.farkas[i] = multipliers.value[i] / core_.unit[core_.columns + i];
}

void Simplex::Driver::extract_ray() {
  solution_.ray.assign(core_.columns, 0.0);
  const double sign = primal_.ray_sign();
  const Index entering = primal_.ray_variable();
  if (entering < core_.columns) solution_.ray[entering] = sign * core_.unit[entering];
  const SparseVector& direction = primal_.ray_direction();
  for (const Index r : direction.index) {
    const Index j = core_.head[r];
    if (j >= core_.columns || std::abs(direction.value[r]) < 1e-12) continue;
    solution_.ray[j] = -sign * direction.value[r] * core_.unit[j];
  }
}

LpStatus Simplex::Driver::extract(SimplexOutcome outcome) {
  solution_ = {};
  solution_.iterations = core_.iterations;
  const double tolerance = options_.certificate_tolerance;
  switch (outcome) {
    case SimplexOutcome::optimal:
      core_.refine();
      extract_values();
      return check_optimal(program_, solution_, tolerance).holds ? LpStatus::optimal
                                                                 : LpStatus::numerical_trouble;
    case SimplexOutcome::infeasible:
      extract_farkas();
      return check_infeasible(program_, solution_.farkas) ? LpStatus::infeasible
                                                          : LpStatus::numerical_trouble;
    case SimplexOutcome::unbounded:
      extract_ray();
      core_.refine();
      extract_values();
      return check_unbounded(program_, solution_, tolerance).holds ? LpStatus::unbounded
                                                                   : LpStatus::numerical_trouble;
    case SimplexOutcome::limit:
      extract_values();
      return LpStatus::iteration_limit;
    case SimplexOutcome::trouble:
      return LpStatus::numerical_trouble;
  }
  return LpStatus::numerical_trouble;
}

LpStatus Simplex::Driver::solve() {
  if (has_crossed_bounds(program_)) {
    solution_ = {};
    return solution_.status = LpStatus::infeasible;
  }
  core_.iterations = 0;
  core_.stop = options_.stop;
  core_.random = Random(options_.seed);
  LpStatus status = LpStatus::numerical_trouble;
  for (const Attempt& attempt : attempts) {
    prepare(attempt);
    const std::uint64_t cap = core_.iterations + pivot_limit(core_);
    core_.iteration_limit = std::min(options_.iteration_limit, cap);
    const bool primal = (options_.method == SimplexMethod::primal) != attempt.other_method;
    SimplexOutcome outcome = run(primal, attempt.bland);
    if (outcome == SimplexOutcome::limit && core_.iterations < options_.iteration_limit &&
        !is_requested(options_.stop))
      outcome = SimplexOutcome::trouble;
    status = extract(outcome);
    core_.restore_bounds();
    core_.restore_costs();
    if (status != LpStatus::numerical_trouble) break;
  }
  return solution_.status = status;
}

Basis Simplex::Driver::basis() const {
  if (!loaded_) return kept_;
  Basis basis;
  const auto middle = core_.place.begin() + static_cast<std::ptrdiff_t>(core_.columns);
  basis.columns.assign(core_.place.begin(), middle);
  basis.rows.assign(middle, core_.place.end());
  return basis;
}

void Simplex::Driver::set_basis(const Basis& basis) {
  kept_ = basis;
  if (loaded_) core_.set_basis(kept_places());
}

Simplex::Simplex(LinearProgram program, SimplexOptions options)
    : driver_(std::make_unique<Driver>(std::move(program), options)) {}
Simplex::Simplex(Simplex&&) noexcept = default;
Simplex& Simplex::operator=(Simplex&&) noexcept = default;
Simplex::~Simplex() = default;

const LinearProgram& Simplex::program() const { return driver_->program_; }
SimplexOptions& Simplex::options() { return driver_->options_; }
Basis Simplex::basis() const { return driver_->basis(); }
void Simplex::set_basis(const Basis& basis) { driver_->set_basis(basis); }
LpStatus Simplex::solve() { return driver_->solve(); }
const LpSolution& Simplex::solution() const { return driver_->solution_; }

void Simplex::set_column_bounds(Index column, Interval bounds) {
  driver_->program_.set_column_bounds(column, bounds);
  driver_->bounds_changed_ = true;
}
void Simplex::set_row_bounds(Index row, Interval bounds) {
  driver_->program_.set_row_bounds(row, bounds);
  driver_->bounds_changed_ = true;
}
void Simplex::set_cost(Index column, double cost) {
  driver_->program_.set_cost(column, cost);
  driver_->costs_changed_ = true;
}
Index Simplex::add_column(double cost, Interval bounds, std::span<const Entry> entries) {
  driver_->structure_changes();
  return driver_->program_.add_column(cost, bounds, entries);
}
Index Simplex::add_row(Interval bounds, std::span<const Entry> entries) {
  driver_->structure_changes();
  return driver_->program_.add_row(bounds, entries);
}
void Simplex::set_row(Index row, std::span<const Entry> entries) {
  driver_->structure_changes();
  driver_->program_.set_row(row, entries);
}
void Simplex::truncate_rows(Index count) {
  driver_->structure_changes();
  driver_->program_.truncate_rows(count);
}

}  // namespace nestor::simplex
