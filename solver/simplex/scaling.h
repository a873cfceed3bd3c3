// Scale factors for a program's rows and columns: geometric means from a few sweeps (Curtis and Reid's aim,
// Fulkerson and Wolfe's cheap method), rounded to powers of two so that scaling itself never rounds.
#pragma once

#include <vector>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

struct Scaling {
  std::vector<double> row;  ///< scaled coefficient = row * coefficient * column
  std::vector<double> column;
};

Scaling geometric_scaling(const LinearProgram& program);

/// Returns the power of two nearest to a positive number (in ratio).
double power_of_two_near(double positive);

}  // namespace nestor::simplex
