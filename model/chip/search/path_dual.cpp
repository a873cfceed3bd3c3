#include "model/chip/search/path_dual.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nestor::chip {

void PathDual::add_answer(const std::vector<double>& lengths) {
  for (std::size_t p = 0; p < lengths_.size(); ++p) lengths_[p].push_back(lengths[p]);
  ++answers_;
}

void PathDual::add_path(const std::vector<double>& lengths) { lengths_.push_back(lengths); }

std::vector<Int> PathDual::shares(Int whole) {
  // Solves the dual program: choose weights y of answers with sum 1 and minimise t, with
  // sum_a y_a * length(p, a) <= t for every path. Its row duals are the shares.
  simplex::LinearProgram program;
  const simplex::Interval share{0, 1};
  for (std::size_t a = 0; a < answers_; ++a) program.add_column(0, share);
  double longest = 0;
  for (const auto& path : lengths_)
    for (const double length : path) longest = std::max(longest, length);
  const auto t = program.add_column(1, {0, longest});
  std::vector<simplex::Entry> entries;
  for (std::size_t a = 0; a < answers_; ++a) entries.push_back({static_cast<simplex::Index>(a), 1});
  program.add_row({1, 1}, entries);
  for (const auto& path : lengths_) {
    entries.clear();
    for (std::size_t a = 0; a < answers_; ++a)
      if (path[a] != 0) entries.push_back({static_cast<simplex::Index>(a), path[a]});
    entries.push_back({t, -1});
    program.add_row({-simplex::infinity, 0}, entries);
  }
  simplex::SimplexOptions options;
  options.iteration_limit = 2000;  // any shares are safe, so a long solve is not worthwhile
  simplex::Simplex simplex(std::move(program), options);
  if (simplex.solve() != simplex::LpStatus::optimal) return {};
  const auto& solution = simplex.solution();
  value_ = solution.objective;
  weights_.assign(solution.x.begin(), solution.x.begin() + static_cast<std::ptrdiff_t>(answers_));
  std::vector<double> duals;
  for (std::size_t p = 0; p < lengths_.size(); ++p) duals.push_back(std::max(0.0, -solution.row_dual[p + 1]));
  const double sum = std::accumulate(duals.begin(), duals.end(), 0.0);
  if (!(sum > 0)) return {};
  std::vector<Int> result;
  Int left = whole;
  for (const double dual : duals) {
    const Int part = std::min(left, static_cast<Int>(std::floor(dual / sum * static_cast<double>(whole))));
    result.push_back(part);
    left -= part;
  }
  *std::max_element(result.begin(), result.end()) += left;
  return result;
}

}  // namespace nestor::chip
