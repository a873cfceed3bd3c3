// Lower bounds on a linear program that hold in exact arithmetic although they are computed in floating point
// (Neumaier and Shcherbina, Safe bounds in linear and mixed-integer linear programming, 2004). Any duals
// serve; good ones give a good bound. The duals of an interrupted or inexact solve are therefore as safe as
// those of a finished one: only tightness depends on them.
#pragma once

#include <span>

#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

/// A number that is certainly not above the minimum of the program (and below any bound if it is infeasible).
/// -infinity if a variable without a bound meets a reduced cost that may have the wrong sign; give variables
/// bounds to avoid that. Bounds, costs and coefficients are taken as the exact values of their doubles.
double safe_dual_bound(const LinearProgram& program, std::span<const double> row_dual);

/// True only if the program certainly has no solution: the combined row excludes zero in rounded-out
/// arithmetic.
bool safely_infeasible(const LinearProgram& program, std::span<const double> farkas);

/// Arithmetic rounded towards one side: each result is certainly not above (below) the exact one, whatever
/// the rounding mode in force.
namespace directed {
double add_down(double a, double b);
double add_up(double a, double b);
double multiply_down(double a, double b);
double multiply_up(double a, double b);
}  // namespace directed

}  // namespace nestor::simplex
