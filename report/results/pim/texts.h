// Mappings onto PIM machines, and the rules that they break, as human-readable text.
#pragma once

#include <string>

#include "io/pim/mapping_file.h"
#include "model/pim/evaluate.h"
#include "model/pim/legality.h"
#include "model/pim/search/admission.h"

namespace nestor::io::pim {

std::string violation_text(const nestor::pim::PimViolation& violation, const nestor::pim::PimMapping& mapping,
                           const NamedPimMachine& machine);
/// Returns the loop nest by memory, from the innermost outward, with layouts and the use of all parts.
std::string mapping_text(const LayerShape& layer, const nestor::pim::PimMapping& mapping,
                         const nestor::pim::PimEvaluation& evaluation, const NamedPimMachine& machine);

}  // namespace nestor::io::pim
