// Best mix of paths: a small linear program over paths and answers (docs/models/chip.md, section 8). An
// answer is a choice of options that the knapsack found. The variables are shares of paths that sum to 1, and
// each answer is a constraint. The program maximises the least mixed length over all known answers. Each new
// answer adds a constraint, and each new longest path adds a variable. Shares are rounded to integers with a
// fixed sum, so bounds computed from them are exact. The program affects only the quality of the bounds; they
// are safe for any shares.
#pragma once

#include <vector>

#include "base/checked.h"
#include "solver/simplex/simplex.h"

namespace nestor::chip {

class PathDual {
 public:
  /// Adds an answer; `lengths[p]` is the length of path p under it.
  void add_answer(const std::vector<double>& lengths);
  /// Adds a path; `lengths[a]` is its length under answer a.
  void add_path(const std::vector<double>& lengths);

  /// Returns the shares of the paths in units of 1 / `whole`; their sum is `whole`. Returns an empty list if
  /// the program could not be solved.
  std::vector<Int> shares(Int whole);
  /// Returns the weight of each answer in the optimum. Requires a previous call of shares().
  const std::vector<double>& answer_weights() const { return weights_; }
  double value() const { return value_; }

 private:
  void build();

  std::vector<std::vector<double>> lengths_;  ///< by path, then by answer
  std::size_t answers_ = 0;
  std::vector<double> weights_;
  double value_ = 0;
};

}  // namespace nestor::chip
