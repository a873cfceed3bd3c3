// Coordinates of values along the netlist: the second eigenvector of its Laplacian, one number per value.
// Values that are read together have similar coordinates.
#pragma once

#include <vector>

#include "heuristics/simd/orders.h"

namespace nestor::simd {

std::vector<double> sweep_coordinates(const ScheduleProblem& problem, Random& random, const Stop& stop = {});

}  // namespace nestor::simd
