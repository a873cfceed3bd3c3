// Random mappings of the pim space with names for the parts of their machine, what the search's own rules say
// of them, and changes in one place that may break a rule, just keep it, or go to the brink of it.
#pragma once

#include <optional>

#include "base/random.h"
#include "support/pim_cases.h"

namespace nestor::testing {

struct NamedPimCase {
  PimCase small;
  pim::PimMapping mapping;
  std::vector<std::string> memories, axes;
};

/// A legal mapping of a random case; in one case of three an axis `vaults` is outside everything.
std::optional<NamedPimCase> random_named_pim_case(std::uint64_t seed, Int most_macs);

/// What the search says: a word for what is wrong, "legal" if nothing is.
std::string verdict(const NamedPimCase& sample);

/// Changes the layer, the machine or the mapping in one place.
void spoil(NamedPimCase& sample, Random& random);

}  // namespace nestor::testing
