// Coordinates of values along the netlist, one number per value: the second eigenvector of the netlist's
// Laplacian. Values that are read together have similar coordinates.
#pragma once

#include <vector>

#include "heuristics/simd/orders.h"

namespace nestor::simd {

std::vector<double> sweep_coordinates(const ScheduleProblem& problem, Random& random, const Stop& stop = {});

}  // namespace nestor::simd
