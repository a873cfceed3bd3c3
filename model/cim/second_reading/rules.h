// Is this mapping one that the model knows (docs/models/cim.md, sections 3 and 4)? A list of sentences, each
// one broken rule with its numbers; empty means legal and canonical. The rules of a loop nest
// (model/loopnest/second_reading) for a layer whose figures can be worked out, see figures.h.
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
