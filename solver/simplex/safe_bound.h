// Safe lower bounds on a linear program: they are valid in exact arithmetic although they are computed in
// floating point (Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear programming, 2004).
// Any duals give a valid bound, and good duals give a tight bound. The duals of an interrupted or inexact
// solve are as safe as those of a finished solve, but the bound may be less tight.
#pragma once

#include <span>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

/// Returns a lower bound on the minimum of the program. If the program is infeasible, the bound may be any
/// number. The bound is -infinity if the reduced cost of a variable without a bound may have the wrong sign;
/// bounds on variables avoid that. Bounds, costs and coefficients are taken as the exact values of their
/// doubles.
double safe_dual_bound(const LinearProgram& program, std::span<const double> row_dual);

/// True only if the program certainly has no solution: the range of the combined row, computed with outward
/// rounding, excludes zero.
bool safely_infeasible(const LinearProgram& program, std::span<const double> farkas);

/// Arithmetic with directed rounding, in the default rounding mode of the machine: each result is certainly
/// at most (down) or at least (up) the exact result.
namespace directed {
double add_down(double a, double b);
double add_up(double a, double b);
double multiply_down(double a, double b);
double multiply_up(double a, double b);
}  // namespace directed

}  // namespace nestor::simplex
