// Breakdown of the cycles and the energy of a result as text.
#pragma once

#include <string>
#include <string_view>

#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns the word for a wait in `map` and `simulate`: "inputs", "weights" or "outputs".
std::string_view wait_word(Operand operand);

/// Returns lines with the breakdown of the cycles and the energy of all layers, each only if the objective
/// depends on it, and with the fullest memories.
std::string spending_text(const io::CimRun& run);

}  // namespace nestor::report
