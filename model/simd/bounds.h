// Lower bounds on the copies any schedule needs, each with the argument that proves it (model-simd, "Methods"
// 5). They look at the netlist and the machine only and hold with and without recomputation.
#pragma once

#include <string>

#include "model/simd/problem.h"

namespace nestor::simd {

struct LowerBound {
  std::uint32_t copies = 0;
  std::string argument;
};

/// The best bound we know.
LowerBound lower_bound(const Problem& problem);

/// An array full of inputs computes nothing, so each of its inputs that is read costs a copy; and inputs of
/// several arrays that must meet in one gate's history cost a copy for every array but one.
LowerBound input_bound(const Problem& problem);
/// Outputs that find no row in the arrays that hold inputs lie in arrays that begin empty.
LowerBound output_bound(const Problem& problem);

}  // namespace nestor::simd
