// Divides the gates among arrays that begin empty so that few values are read in more than one of them: the
// start for netlists whose inputs alone overflow one array. A first cut along the netlist's longest direction
// is annealed for the number of crossings, with the inputs each part reads held below what an array can take.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Empty if it was stopped.
std::vector<std::uint8_t> partition_gates(const ScheduleProblem& problem, std::uint8_t parts, Random& random,
                                          const Stop& stop = {});

}  // namespace nestor::simd
