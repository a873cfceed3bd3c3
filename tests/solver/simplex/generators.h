// Linear programs for tests and benchmarks: random ones of every awkward kind, and structured families in
// the manner of the classic test sets, of any size. The same seed gives the same program everywhere.
#pragma once

#include <string>

#include "base/random.h"
#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

/// A small random program; `seed` also picks the kind (feasible, infeasible, unbounded, degenerate, free,
/// fixed, boxed, badly scaled, duplicate and empty rows, dependent equations, ...).
LinearProgram random_program(std::uint64_t seed);

/// `sources` x `sinks` transportation problem, balanced and degenerate.
LinearProgram transport_program(Index sources, Index sinks, std::uint64_t seed);
/// `periods` blocks along the diagonal, each linked to the one before (production and storage).
LinearProgram staircase_program(Index periods, Index products, std::uint64_t seed);
/// `commodities` flows over one random network with joint arc capacities.
LinearProgram multicommodity_program(Index nodes, Index arcs, Index commodities, std::uint64_t seed);
/// Mixing: dense rows of quality limits, few columns.
LinearProgram blending_program(Index materials, Index products, std::uint64_t seed);
/// min 1.x, A x >= 1 over 0/1 columns, 0 <= x <= 1: highly degenerate.
LinearProgram covering_program(Index rows, Index columns, std::uint64_t seed);
/// A small program like those a bound in the logarithm domain makes: boxes, assignment rows, tangent cuts.
LinearProgram bound_like_program(Index groups, std::uint64_t seed);
/// Klee and Minty's cube in `dimension` variables.
LinearProgram klee_minty_program(Index dimension);

}  // namespace nestor::simplex
