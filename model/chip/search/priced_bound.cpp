// Bounds of a node: multipliers of paths and of the energy limit, the knapsack under them, and the linear
// program that proposes the next multipliers (priced_search.h).
#include "model/chip/search/priced_state.h"
#include "solver/simplex/simplex.h"

namespace nestor::chip::priced {
namespace {

constexpr int root_steps = 60;
constexpr int node_steps = 10;
// Penalty per unit of excess in the linear program, in units of the price of a whole schedule. The penalty
// limits the multipliers.
constexpr double dearest_excess = 100;

}  // namespace

std::size_t PricedSearch::add_path(SegmentPath rows) {
  for (std::size_t p = 0; p < pool_.size(); ++p)
    if (pool_[p].rows == rows) return p;
  Path path{std::move(rows), std::vector<double>(options_.size())};
  for (std::size_t k = 0; k < graph_.size(); ++k)
    for (auto o = begin_[k]; o < begin_[k + 1]; ++o)
      path.lengths[o] = static_cast<double>(path.rows.length(k, speed_of(options_[o])));
  pool_.push_back(std::move(path));
  return pool_.size() - 1;
}

double PricedSearch::reprice(const Multipliers& multipliers) {
  repriced_.resize(options_.size());
  for (std::size_t o = 0; o < options_.size(); ++o)
    repriced_[o] = price_of(options_[o]) + multipliers.energy * options_[o].energy;
  double sum = 0;
  for (const auto& [path, value] : multipliers.paths) {
    sum += value;
    const double* lengths = pool_[path].lengths.data();
    for (std::size_t o = 0; o < repriced_.size(); ++o) repriced_[o] += value * lengths[o];
  }
  // Remaining price per cycle of the schedule, whose end is between earliest_ and end_.
  const double rest = goal_.per_cycle - sum;
  const double cycles = rest * static_cast<double>(rest >= 0 ? earliest_ : end_);
  return multipliers.energy > 0 ? cycles - multipliers.energy * goal_.most_energy : cycles;
}

bool PricedSearch::fill_knapsack() {
  knapsack_.clear(cores_);
  for (std::size_t k = 0; k < graph_.size(); ++k) {
    knapsack_.begin_group();
    each_alive(k, [&](std::uint32_t o) { knapsack_.add({o, options_[o].cores, repriced_[o]}); });
  }
  return knapsack_.solve();
}

bool PricedSearch::bound() {
  answers_.clear();
  weights_.clear();
  columns_.clear();
  for (const Answer& answer : node_->answers)
    if (std::all_of(answer.begin(), answer.end(), [&](std::uint32_t o) { return alive(o); }))
      answers_.push_back(answer);
  Multipliers now = node_->multipliers;
  for (const auto& entry : now.paths) columns_.push_back(entry.first);
  if (columns_.empty() && goal_.per_cycle > 0) {
    columns_.push_back(add_path(graph_.longest_path(speeds_, times_)));
    now.paths = {{columns_.front(), goal_.per_cycle}};
  }
  double best = -infinite;
  const int steps = node_->number == 0 ? root_steps : node_steps;
  for (int s = 0; s < steps && !stop_.requested(); ++s) {
    const double rest = reprice(now);
    if (!fill_knapsack()) return false;
    const double value = knapsack_.value() + rest;
    if (value > best) {
      best = value;
      node_->multipliers = now;
    }
    // A small margin covers the rounding of sums of doubles.
    node_->bound = std::max(node_->bound, value - 1e-12 * std::abs(value));
    if (node_->bound >= threshold()) return false;
    const double program = add_answer();
    if (node_->bound >= threshold()) return false;
    if (!(program > best + 1e-9 * std::abs(best))) break;
    move_towards(wanted_, now);
  }
  return true;
}

void PricedSearch::move_towards(const Multipliers& wanted, Multipliers& now) const {
  const Multipliers& best = node_->multipliers;
  now.energy = (best.energy + wanted.energy) / 2;
  now.paths.clear();
  for (const auto& [path, value] : wanted.paths) {
    double before = 0;
    for (const auto& [other, known] : best.paths)
      if (other == path) before = known;
    if (value + before > 0) now.paths.emplace_back(path, (value + before) / 2);
  }
}

double PricedSearch::add_answer() {
  Answer answer;
  for (const std::size_t position : knapsack_.answer()) answer.push_back(knapsack_.item(position).option);
  for (std::size_t k = 0; k < answer.size(); ++k) speeds_[k] = speed_of(options_[answer[k]]);
  const Int schedule = graph_.heads(speeds_, answer_times_);
  accept(answer, schedule);
  const bool paths_count = goal_.per_cycle > 0 || schedule > goal_.latest;
  if (paths_count) {
    const auto path = add_path(graph_.longest_path(speeds_, answer_times_));
    if (std::find(columns_.begin(), columns_.end(), path) == columns_.end()) columns_.push_back(path);
  }
  answers_.push_back(std::move(answer));
  return solve_program();
}

double PricedSearch::solve_program() {
  const double cycle = static_cast<double>(std::max<Int>(1, std::min(end_, Int{1} << 50)));
  const double unit = std::max(1e-30, std::abs(price_of(answers_.back())) + goal_.per_cycle * cycle);
  const double energy_unit = std::max(1e-30, least_energy_);
  simplex::LinearProgram program;
  for (const Answer& answer : answers_) program.add_column(price_of(answer) / unit, {0, 1});
  const auto end = program.add_column(goal_.per_cycle * cycle / unit,
                                      {static_cast<double>(earliest_) / cycle, end_ < never ? 1 : 1e6});
  const auto excess = program.add_column(dearest_excess, {0, 1e6});
  const auto energy_excess = program.add_column(dearest_excess, {0, 1e6});
  std::vector<simplex::Entry> entries;
  for (std::size_t a = 0; a < answers_.size(); ++a) entries.push_back({static_cast<simplex::Index>(a), 1});
  program.add_row({1, 1}, entries);
  for (const std::size_t path : columns_) {
    entries.clear();
    for (std::size_t a = 0; a < answers_.size(); ++a) {
      double length = 0;
      for (const auto o : answers_[a]) length += pool_[path].lengths[o];
      if (length != 0) entries.push_back({static_cast<simplex::Index>(a), length / cycle});
    }
    entries.push_back({end, -1});
    entries.push_back({excess, -1});
    program.add_row({-simplex::infinity, 0}, entries);
  }
  const bool limited = goal_.most_energy < infinite;
  if (limited) {
    entries.clear();
    for (std::size_t a = 0; a < answers_.size(); ++a)
      entries.push_back({static_cast<simplex::Index>(a), energy_of(answers_[a]) / energy_unit});
    entries.push_back({energy_excess, -1});
    program.add_row({-simplex::infinity, goal_.most_energy / energy_unit}, entries);
  }
  simplex::SimplexOptions settings;
  settings.iteration_limit = 2000;  // any multipliers are safe, so a long solve is not worthwhile
  simplex::Simplex solver(std::move(program), settings);
  if (solver.solve() != simplex::LpStatus::optimal) return -infinite;
  const auto& solution = solver.solution();
  weights_.assign(solution.x.begin(), solution.x.begin() + static_cast<std::ptrdiff_t>(answers_.size()));
  wanted_ = {};
  for (std::size_t p = 0; p < columns_.size(); ++p)
    wanted_.paths.emplace_back(columns_[p], std::max(0.0, -solution.row_dual[p + 1]) * unit / cycle);
  if (limited) wanted_.energy = std::max(0.0, -solution.row_dual[columns_.size() + 1]) * unit / energy_unit;
  return solution.objective * unit;
}

bool PricedSearch::shave_by_knapsack() {
  if (stop_.requested()) return true;
  const double rest = reprice(node_->multipliers);
  if (!fill_knapsack()) return false;
  const auto with = knapsack_.with_each();
  for (std::size_t g = 0; g < knapsack_.groups(); ++g) {
    bool any = false;
    for (std::size_t p = knapsack_.group_begin(g); p < knapsack_.group_end(g); ++p) {
      const double value = with[p] + rest;
      if (std::isfinite(with[p]) && value - 1e-12 * std::abs(value) < threshold())
        any = true;
      else
        node_->alive[knapsack_.item(p).option] = 0;
    }
    if (!any) return false;
  }
  return true;
}

}  // namespace nestor::chip::priced
