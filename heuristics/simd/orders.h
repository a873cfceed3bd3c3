// Constructive starting orders. Except where ties are broken by index, no order depends on the order of gates
// in the file: gates are chosen by their position in the netlist, with random tie-breaking. An order is empty
// if its construction was stopped.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

using Order = std::vector<std::uint32_t>;

/// Returns the level of every value; inputs are at level 0.
std::vector<std::uint32_t> levels(const ScheduleProblem& problem);
/// Returns Strahler numbers: the rows needed to compute a value alone if nothing were shared.
std::vector<std::uint32_t> strahler_numbers(const ScheduleProblem& problem);

/// The fanin into which a depth-first order descends first; ties are broken at random or by index.
enum class FaninRule : std::uint8_t { random, deepest, widest, widest_by_index };
/// The output with which an order starts; `widest`: the output with the largest Strahler number; in a tie,
/// the first one.
enum class RootRule : std::uint8_t { given, smallest_cone, shallowest, widest, random };

/// Post-order of a depth-first search from the outputs.
Order depth_first_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                        const Stop& stop = {});

/// Like depth_first_order(), but every gate that does not increase the number of live values runs as soon as
/// it is ready. Gates that read the same values are considered together (the sum and the carry of a full
/// adder). Inputs occupy a row from their first to their last use.
Order closing_order(const ScheduleProblem& problem, RootRule roots, FaninRule fanins, Random& random,
                    const Stop& stop = {});

/// Chooses the ready gate that frees the most rows; among equal gates, the one with the most recent fanins.
/// If `inputs_travel`, an input occupies a row from its first to its last use.
Order greedy_order(const ScheduleProblem& problem, Random& random, bool inputs_travel = false,
                   const Stop& stop = {});

/// Returns all gates in the order of a coordinate that is similar for neighbours in the netlist (the second
/// eigenvector of its Laplacian), which is not a topological order. It serves for spatial cuts of the
/// netlist.
Order coordinate_order(const ScheduleProblem& problem, Random& random, const Stop& stop = {});

/// Chooses ready gates uniformly at random.
Order random_order(const ScheduleProblem& problem, Random& random);

}  // namespace nestor::simd
