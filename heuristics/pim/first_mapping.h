// First mappings of the pim space: legal, often good, nothing proved. A few spatial choices, those of least
// bound that move the fewest bits per step, are each given loops by priorities (priority_nest.h) or by
// climbing (climber.h).
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
  std::size_t choice = 0;  ///< of the list
};

enum class FirstMethod : std::uint8_t { priorities, climber, both };

struct FirstMappingLimits {
  FirstMethod method = FirstMethod::both;
  std::size_t tries = 6;                                    ///< spatial choices
  double enough = 0;                                        ///< a cost that ends it
  double cutoff = std::numeric_limits<double>::infinity();  ///< no mapping is wanted that costs so much
  std::uint64_t judgements = 0;                             ///< mappings evaluated in all
  std::size_t glances = 0;                    ///< spatial choices looked at besides, if that was not enough
  std::uint64_t judgements_of_a_glance = 40;  ///< mappings evaluated for each of these
  const StopSignal* stop = nullptr;           ///< ends it with the best so far
};

/// A dearer bound on a choice than its list has.
using RefinedBound = std::function<double(std::size_t choice)>;

/// The best of a few spatial choices. Nothing if none of them fits.
std::optional<FirstMapping> first_mapping(const PimProblem& problem, const ChoiceList& choices,
                                          const FirstMappingLimits& limits, const RefinedBound& refine = {});

}  // namespace nestor::pim
