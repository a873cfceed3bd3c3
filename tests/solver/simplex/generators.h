// Generators of linear programs for tests and benchmarks: random programs of many difficult kinds, and
// structured families of any size, similar to the classic test sets. A seed gives the same program on every
// platform.
#pragma once

#include <string>

#include "base/random.h"
#include "solver/simplex/linear_program.h"

namespace nestor::simplex {

/// Returns a small random program. `seed` also selects the kind (feasible, infeasible, unbounded, degenerate,
/// free, fixed, boxed, badly scaled, duplicate and empty rows, dependent equations, ...).
LinearProgram random_program(std::uint64_t seed);

/// Returns a balanced, degenerate transportation problem of `sources` x `sinks`.
LinearProgram transport_program(Index sources, Index sinks, std::uint64_t seed);
/// Returns a program of `periods` diagonal blocks, each linked to the previous one (production and storage).
LinearProgram staircase_program(Index periods, Index products, std::uint64_t seed);
/// Returns a program of `commodities` flows over one random network with joint arc capacities.
LinearProgram multicommodity_program(Index nodes, Index arcs, Index commodities, std::uint64_t seed);
/// Returns a mixing problem with dense rows of quality limits and few columns.
LinearProgram blending_program(Index materials, Index products, std::uint64_t seed);
/// Returns the relaxation of a covering program: A x >= 1 with zeros and ones in A, and 0 <= x <= 1. A costly
/// extra column for each row keeps the program feasible. The program is highly degenerate.
LinearProgram covering_program(Index rows, Index columns, std::uint64_t seed);
/// Returns a small program like those for bounds in the logarithm domain: boxes, assignment rows, tangent
/// cuts.
LinearProgram bound_like_program(Index groups, std::uint64_t seed);
/// Returns the Klee-Minty cube in `dimension` variables.
LinearProgram klee_minty_program(Index dimension);

}  // namespace nestor::simplex
