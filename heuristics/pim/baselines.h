// Baseline dataflows for comparison with the search. They keep one operand stationary, put kernel rows on one
// axis and output channels on another as in Eyeriss (row stationary), or draw level nests at random. The
// results are legal level nests without a proof.
#pragma once

#include <cstdint>
#include <optional>

#include "heuristics/pim/first_mapping.h"
#include "model/loopnest/map_method.h"

namespace nestor::pim {

/// Returns the best mapping of a baseline (any method except optimal) under the problem's objective, or
/// nothing if none fits. `samples` is the number of level nests that `sampled` draws. If no spatial choice
/// puts kernel rows and output channels on different axes, row stationary may use any choice.
std::optional<FirstMapping> baseline(const PimProblem& problem, const ChoiceList& choices, MapMethod kind,
                                     std::uint64_t seed, int samples, const StopSignal* stop = nullptr);

}  // namespace nestor::pim
