// Simplex solvers of other projects, for comparison only. Each is available if CMake found its library.
#pragma once

#include <optional>

#include "solver/simplex/options.h"

namespace nestor::simplex {

struct ReferenceAnswer {
  LpStatus status = LpStatus::numerical_trouble;
  double objective = 0;
};

/// Returns nullopt if the library is not available.
std::optional<ReferenceAnswer> solve_with_glpk(const LinearProgram& program);
std::optional<ReferenceAnswer> solve_with_clp(const LinearProgram& program);

}  // namespace nestor::simplex
