// A vector that is mostly zero: a dense array for random access and a list of the nonzero positions.
// Invariant: `index` contains exactly the positions with a nonzero value, in no particular order.
#pragma once

#include <vector>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

struct SparseVector {
  std::vector<double> value;
  std::vector<Index> index;

  void resize(std::size_t size) {
    value.assign(size, 0.0);
    index.clear();
  }
  void clear() {
    for (const Index i : index) value[i] = 0;
    index.clear();
  }
  /// Adds to one position. If the sum cancels exactly, a negligibly small value is stored instead of zero.
  void add(Index i, double amount) {
    const double old = value[i];
    const double sum = old + amount;
    if (old == 0) index.push_back(i);
    value[i] = sum == 0 ? 1e-300 : sum;
  }
  void set(Index i, double amount) {
    if (value[i] == 0) index.push_back(i);
    value[i] = amount == 0 ? 1e-300 : amount;
  }
  double squared_norm() const {
    double sum = 0;
    for (const Index i : index) sum += value[i] * value[i];
    return sum;
  }
};

}  // namespace nestor::simplex
