// Scale factors for a program's rows and columns: geometric means from a few sweeps (the aim of Curtis and
// Reid, by the inexpensive method of Fulkerson and Wolfe), rounded to powers of two so that scaling causes no
// rounding errors.
#pragma once

#include <vector>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

struct Scaling {
  std::vector<double> row;  ///< scaled coefficient = row * coefficient * column
  std::vector<double> column;
};

Scaling geometric_scaling(const LinearProgram& program);

/// Returns the power of two nearest to a positive number, by ratio.
double power_of_two_near(double positive);

}  // namespace nestor::simplex
