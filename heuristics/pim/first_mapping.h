// First mappings of the pim space: legal, often good, nothing proved. A nest with one level per memory starts
// with all its loops outermost; priorities then pull single factors inward or back and exchange neighbours of
// the outer levels, as long as that makes the mapping cheaper or, at equal cost, its memories less busy.
#pragma once

#include <cstdint>
#include <optional>

#include "model/loopnest/space/choice_list.h"
#include "model/pim/search/problem.h"

namespace nestor::pim {

struct FirstMapping {
  PimMapping mapping;
  double cost = 0;
  std::size_t choice = 0;  ///< of the list
};

/// The best of `tries` spatial choices, those of least bound that move the fewest bits per step. Ends early
/// at a cost of at most `enough`. Nothing if none of them fits.
std::optional<FirstMapping> first_mapping(const Problem& problem, const ChoiceList& choices,
                                          std::size_t tries, double enough);

/// The same from given spatial factors.
std::optional<FirstMapping> climb(const Problem& problem, const std::array<Extents, max_axes>& spatial,
                                  double enough);

}  // namespace nestor::pim
