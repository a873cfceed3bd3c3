// Random mappings of the pim space, with names for the parts of their machine and the verdict of the search's
// own rules. A case can be changed in one place. The change may break a rule, just satisfy it, or reach its
// limit.
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

/// Returns a legal mapping of a random case. In one case of three, an axis `vaults` is outside all memories.
std::optional<NamedPimCase> random_named_pim_case(std::uint64_t seed, Int most_macs);

/// Returns the verdict of the search's rules: the name of the broken rule, or "legal".
std::string verdict(const NamedPimCase& sample);

/// Changes the layer, the machine or the mapping in one place.
void spoil(NamedPimCase& sample, Random& random);

}  // namespace nestor::testing
