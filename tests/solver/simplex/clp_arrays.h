// A linear program in the arrays that CLP reads. Used only if CMake found CLP.
#pragma once

#ifdef NESTOR_TEST_CLP
#include <coin/Clp_C_Interface.h>

#include <vector>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

struct ClpArrays {
  explicit ClpArrays(const LinearProgram& program) {
    for (Index j = 0; j < program.columns(); ++j) {
      for (const Entry& entry : program.column(j)) {
        index.push_back(static_cast<int>(entry.index));
        value.push_back(entry.value);
      }
      start.push_back(static_cast<CoinBigIndex>(index.size()));
      lower.push_back(program.column_bounds(j).lower);
      upper.push_back(program.column_bounds(j).upper);
      cost.push_back(program.cost(j));
    }
    for (Index i = 0; i < program.rows(); ++i) {
      row_lower.push_back(program.row_bounds(i).lower);
      row_upper.push_back(program.row_bounds(i).upper);
    }
  }
  /// Returns a CLP model that prints nothing. The caller must delete it.
  Clp_Simplex* model() const {
    Clp_Simplex* model = Clp_newModel();
    Clp_setLogLevel(model, 0);
    Clp_loadProblem(model, static_cast<int>(lower.size()), static_cast<int>(row_lower.size()), start.data(),
                    index.data(), value.data(), lower.data(), upper.data(), cost.data(), row_lower.data(),
                    row_upper.data());
    return model;
  }

  std::vector<CoinBigIndex> start{0};
  std::vector<int> index;
  std::vector<double> value, lower, upper, cost, row_lower, row_upper;
};

}  // namespace nestor::simplex
#endif
