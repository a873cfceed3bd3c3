// What a result must state about a mapping, recomputed from its JSON.
#pragma once

#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

struct Contract {
  std::vector<std::string> faults;  ///< rules that the mapping breaks, or why nothing can be computed
  Json figures;                     ///< null if there are faults
};

/// Returns compute(). Everything that it throws becomes a fault.
Contract contract_or_fault(const auto& compute) {
  try {
    return compute();
  } catch (const std::exception& error) {
    return {{error.what()}, {}};
  }
}

}  // namespace nestor::check
