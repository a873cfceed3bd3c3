// Baseline dataflows for comparison with the search. One operand is stationary while the others pass by;
// kernel rows are on one axis and output channels on another, as in Eyeriss (row stationary); or level nests
// are drawn at random. The results are legal level nests, without a proof.
#pragma once

#include <cstdint>
#include <optional>

#include "heuristics/pim/first_mapping.h"
#include "model/loopnest/map_method.h"

namespace nestor::pim {

/// Returns the best mapping of a baseline (any method except optimal) under the problem's objective, or
/// nothing if none fits. `samples` is the number of level nests that `sampled` draws. If the layer has no
/// kernel rows, row stationary takes any axes.
std::optional<FirstMapping> baseline(const PimProblem& problem, const ChoiceList& choices, MapMethod kind,
                                     std::uint64_t seed, int samples, const StopSignal* stop = nullptr);

}  // namespace nestor::pim
