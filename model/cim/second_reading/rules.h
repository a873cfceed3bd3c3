// Legality rules of a mapping in the cim model (docs/models/cim.md, sections 3 and 4). Each broken rule is a
// sentence with its numbers; an empty list means that the mapping is legal and canonical. These are the rules
// of a loop nest (model/loopnest/second_reading), for a layer whose figures can be computed; see figures.h.
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
