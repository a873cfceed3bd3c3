// Is this mapping one that the model knows (docs/models/cim.md, sections 3 and 4)? A list of sentences, each
// one broken rule with its numbers; empty means legal and canonical. Second reading of
// model/loopnest/rules/legality.h, see figures.h.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/workload/named_architecture.h"

namespace nestor::verify {

std::vector<std::string> broken_rules(const LayerShape& layer, const NamedArchitecture& architecture,
                                      const Mapping& mapping);

}  // namespace nestor::verify
