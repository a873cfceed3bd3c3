// Legality rules of a mapping in the cim model (docs/models/cim.md, sections 3 and 4). The result is one
// sentence per broken rule, with its numbers; an empty list means that the mapping is legal and canonical.
// The rules are those of a loop nest (model/loopnest/second_reading), plus the rule that the layer's figures
// are computable (figures.h).
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_machine.h"

namespace nestor::verify {

std::vector<std::string> broken_rules(const LayerShape& layer, const NamedArchitecture& architecture,
                                      const Mapping& mapping);

}  // namespace nestor::verify
