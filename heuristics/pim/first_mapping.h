// Initial mappings of the pim space: legal and often good, but without a proof. Loops are placed by
// priorities (priority_nest.h) for a few spatial choices. Choices with lower bounds come first; ties are
// broken by the number of steps (for energy) and by the bits moved per step.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "base/stop_signal.h"
#include "model/loopnest/space/choice_list.h"
#include "model/pim/search/problem.h"

namespace nestor::pim {

struct FirstMapping {
  PimMapping mapping;
  double cost = 0;
  std::size_t choice = 0;   ///< index in the list of choices
  std::uint64_t nests = 0;  ///< number of loop nests built
};

struct FirstMappingLimits {
  std::size_t tries = 6;                                    ///< number of spatial choices
  std::uint64_t nests = 600;                                ///< number of loop nests built
  double enough = 0;                                        ///< cost at or below which the search ends
  double cutoff = std::numeric_limits<double>::infinity();  ///< only mappings below this cost are useful
  const StopSignal* stop = nullptr;  ///< signal that ends the search with the best mapping so far
};

/// A tighter bound on a choice than the one in the list, at a higher computing cost.
using RefinedBound = std::function<double(std::size_t choice)>;

/// Returns the best mapping found for a few spatial choices, or nothing if none was found.
std::optional<FirstMapping> first_mapping(const PimProblem& problem, const ChoiceList& choices,
                                          const FirstMappingLimits& limits, const RefinedBound& refine = {});

}  // namespace nestor::pim
