// Division of the gates among initially empty arrays, so that few values are read in more than one array. It
// is a starting point for netlists whose inputs alone exceed one array. An initial cut along the netlist's
// longest direction is annealed for few crossings. Parts whose inputs do not fit in an array, or that have
// too many gates, are penalised.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/simd/problem.h"
#include "model/simd/stop.h"

namespace nestor::simd {

/// Returns the part of each gate, or an empty vector if stopped.
std::vector<std::uint8_t> partition_gates(const ScheduleProblem& problem, std::uint8_t parts, Random& random,
                                          const Stop& stop = {});

}  // namespace nestor::simd
