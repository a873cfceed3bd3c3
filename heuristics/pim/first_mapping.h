// Initial mappings of the pim space: legal and often good, but without a proof. Loops are placed for a few
// spatial choices, by priorities (priority_nest.h) or by hill climbing (climber.h). Choices with lower bounds
// come first; ties are broken by the number of steps (for energy) and by the bits moved per step.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "base/stop_signal.h"
#include "heuristics/pim/climber.h"
#include "model/loopnest/space/choice_list.h"

namespace nestor::pim {

struct FirstMapping {
  PimMapping mapping;
  double cost = 0;
  std::size_t choice = 0;         ///< index in the list of choices
  std::uint64_t evaluations = 0;  ///< number of evaluated mappings
};

enum class FirstMethod : std::uint8_t { priorities, climber, both };

struct FirstMappingLimits {
  FirstMethod method = FirstMethod::both;
  std::size_t tries = 6;                                    ///< number of spatial choices
  double enough = 0;                                        ///< cost at or below which the search ends
  double cutoff = std::numeric_limits<double>::infinity();  ///< only mappings below this cost are useful
  /// Limit on evaluated mappings, except those of brief climbs.
  std::uint64_t evaluations = 0;
  /// Number of further spatial choices to try briefly if `enough` is not reached.
  std::size_t brief_climbs = 0;
  std::uint64_t judgements_of_a_glance = 40;  ///< limit on evaluated mappings of each such choice
  const StopSignal* stop = nullptr;           ///< signal that ends the search with the best mapping so far
};

/// A tighter bound on a choice than the one in the list, at a higher computing cost.
using RefinedBound = std::function<double(std::size_t choice)>;

/// Returns the best mapping found for a few spatial choices, or nothing if none was found.
std::optional<FirstMapping> first_mapping(const PimProblem& problem, const ChoiceList& choices,
                                          const FirstMappingLimits& limits, const RefinedBound& refine = {});

}  // namespace nestor::pim
