// Random mappings of the pim space, with names for the memories and axes of the machine. A case can be
// changed in one place; the change may break a rule or just satisfy it. verdict() states what the search's
// rules decide.
#pragma once

#include <optional>

#include "base/random.h"
#include "support/pim_cases.h"

namespace nestor::tests {

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
void corrupt(NamedPimCase& sample, Random& random);

}  // namespace nestor::tests
