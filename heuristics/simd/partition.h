// Division of the gates among arrays that begin empty, so that few values are read in more than one of them.
// It is a starting point for netlists whose inputs alone overflow one array. An initial cut along the
// netlist's longest direction is annealed for few crossings, while the inputs that each part reads stay below
// the capacity of an array.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Returns an empty vector if stopped.
std::vector<std::uint8_t> partition_gates(const ScheduleProblem& problem, std::uint8_t parts, Random& random,
                                          const Stop& stop = {});

}  // namespace nestor::simd
