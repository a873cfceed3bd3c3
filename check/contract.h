// The contract of a mapping, for all spaces: what a result must state about it, recomputed from its JSON.
#pragma once

#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

struct Contract {
  std::vector<std::string> faults;  ///< rules that the mapping breaks, or why nothing can be computed
  Json figures;                     ///< null if there are faults
};

/// Returns an energy in pJ, given the units in a pJ.
inline double in_pj(Wide energy, Wide unit) {
  return static_cast<double>(static_cast<long double>(energy) / static_cast<long double>(unit));
}

/// Returns compute(), which is a contract. An exception becomes a fault.
auto contract_or_fault(const auto& compute) {
  decltype(compute()) contract;
  try {
    contract = compute();
  } catch (const std::exception& error) {
    contract.faults = {error.what()};
  }
  return contract;
}

}  // namespace nestor::check
