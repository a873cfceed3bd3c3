// Constructive starting orders. None depends on the order of the file: gates are taken by their position in
// the netlist, with random ties. An order is empty if it was stopped.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

using Order = std::vector<std::uint32_t>;

/// Returns the level of every value, counted from the inputs.
std::vector<std::uint32_t> levels(const ScheduleProblem& problem);
/// Returns Strahler numbers: the rows needed to compute a value alone if nothing were shared.
std::vector<std::uint32_t> strahler_numbers(const ScheduleProblem& problem);

/// The fanin into which a depth-first order descends first; ties are random, or by index.
enum class FaninRule : std::uint8_t { random, deepest, widest, widest_by_index };
/// The output that an order starts with; `widest`: the one with the largest Strahler number, ties as given.
enum class RootRule : std::uint8_t { given, smallest_cone, shallowest, widest, random };

/// Depth first from the outputs: a gate directly follows its fanins.
Order depth_first_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                        const Stop& stop = {});

/// Depth first, but every gate that can run without increasing the number of live values runs at once. Gates
/// that read the same values are considered together (the sum and the carry of a full adder). Inputs occupy a
/// row from their first to their last use.
Order closing_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                    const Stop& stop = {});

/// Takes the ready gate that frees the most rows; among equal ones, the one with the youngest fanins.
/// `inputs_travel`: an input occupies a row from its first to its last use.
Order greedy_order(const ScheduleProblem& problem, Random& random, bool inputs_travel = false,
                   const Stop& stop = {});

/// Takes ready gates in the order of a coordinate that is similar for neighbours in the netlist (the second
/// eigenvector of its Laplacian): a sweep across the netlist along its longest direction.
Order sweep_order(const ScheduleProblem& problem, bool backwards, Random& random);

/// Returns all gates along that coordinate, not in topological order, for spatial cuts of the netlist.
Order coordinate_order(const ScheduleProblem& problem, Random& random, const Stop& stop = {});

/// Takes uniformly random ready gates.
Order random_order(const ScheduleProblem& problem, Random& random);

}  // namespace nestor::simd
