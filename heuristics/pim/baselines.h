// Dataflows that a search is compared with: one operand stays while the others pass, or kernel rows lie along
// one axis and output channels along another, as Eyeriss has it (row stationary); and nests drawn at random.
// Legal, in level nests, without proof.
#pragma once

#include <cstdint>
#include <optional>

#include "heuristics/pim/first_mapping.h"
#include "model/loopnest/map_method.h"

namespace nestor::pim {

/// The best mapping of a baseline (any method but optimal) under the problem's objective; nothing if none
/// fits. `samples`: nests that `sampled` draws. A layer without kernel rows has no row stationary mapping of
/// its own: any axes are taken.
std::optional<FirstMapping> baseline(const PimProblem& problem, const ChoiceList& choices, MapMethod kind,
                                     std::uint64_t seed, int samples, const StopSignal* stop = nullptr);

}  // namespace nestor::pim
