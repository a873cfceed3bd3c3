// Constructive orders to start from. None of them looks at the order of the file: gates are taken by where
// they stand in the netlist, ties at random. One that was stopped is empty.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

using Order = std::vector<std::uint32_t>;

/// Levels from the inputs of every value.
std::vector<std::uint32_t> levels(const ScheduleProblem& problem);
/// Strahler numbers: rows that computing a value alone would take if nothing were shared.
std::vector<std::uint32_t> strahler_numbers(const ScheduleProblem& problem);

/// Which fanin a depth-first order descends into first; ties at random, or by index.
enum class FaninRule : std::uint8_t { random, deepest, widest, widest_by_index };
/// Which output it starts with; `widest`: the one with the largest Strahler number, ties as given.
enum class RootRule : std::uint8_t { given, smallest_cone, shallowest, widest, random };

/// Depth first from the outputs: a gate follows its fanins at once.
Order depth_first_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                        const Stop& stop = {});

/// Depth first, but whatever can run at once without more values to hold runs at once: gates that read the
/// same values count together (the sum and the carry of a full adder), and inputs take a row from their first
/// to their last use.
Order closing_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                    const Stop& stop = {});

/// Always the ready gate that frees the most rows, then the one whose fanins are youngest. `inputs_travel`:
/// an input takes a row from its first to its last use.
Order greedy_order(const ScheduleProblem& problem, Random& random, bool inputs_travel = false,
                   const Stop& stop = {});

/// Ready gates in the order of a coordinate that neighbours in the netlist share (the second eigenvector of
/// its Laplacian): a sweep across the netlist along its longest direction.
Order sweep_order(const ScheduleProblem& problem, bool backwards, Random& random);

/// All gates along that coordinate, not topological: for cutting the netlist in space.
Order coordinate_order(const ScheduleProblem& problem, Random& random, const Stop& stop = {});

/// Uniformly random ready gates.
Order random_order(const ScheduleProblem& problem, Random& random);

}  // namespace nestor::simd
