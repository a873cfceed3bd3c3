// The best mix of paths: a small linear program over paths and answers (docs/models/chip.md, section 8). Its
// columns are shares of paths that add up to 1, its rows answers of the knapsack, and it maximises the least
// mixed length over all answers known. Each new answer is a row, each new longest path a column; the bundled
// simplex starts from the last basis. Shares leave rounded to whole numbers of a fixed sum, so that bounds
// made with them are exact; how good they are is the program's affair, that they are safe is not.
#pragma once

#include <vector>

#include "base/checked.h"
#include "solver/simplex/simplex.h"

namespace nestor::chip {

class PathDual {
 public:
  /// `lengths[p]`: of path p under the answer.
  void add_answer(const std::vector<double>& lengths);
  /// `lengths[a]`: of the path under answer a.
  void add_path(const std::vector<double>& lengths);

  /// Shares of the paths, in 1 / `whole`, adding up to `whole`. Empty if the program could not be solved.
  std::vector<Int> shares(Int whole);
  /// How much of each answer the optimum mixes; after shares().
  const std::vector<double>& answer_weights() const { return weights_; }
  double value() const { return value_; }

 private:
  void build();

  std::vector<std::vector<double>> lengths_;  ///< by path, then answer
  std::size_t answers_ = 0;
  std::vector<double> weights_;
  double value_ = 0;
};

}  // namespace nestor::chip
