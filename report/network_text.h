// A network as a person reads it: its layers, which of them share a shape, what they cost in multiplications,
// and the operators that are not mapped.
#pragma once

#include <string>

#include "model/workload/network.h"

namespace nestor::report {

std::string network_text(const Network& network);

/// "K 64, C 3, P 112, Q 112, R 7, S 7, stride 2": bounds above 1 and what is not the default.
std::string shape_text(const LayerShape& shape);

}  // namespace nestor::report
