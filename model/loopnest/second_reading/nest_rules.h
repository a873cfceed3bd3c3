// Independent check that a loop nest is legal and canonical (docs/models/cim.md, sections 3 and 4). The
// result is a list of sentences, one for each broken rule with its numbers; an empty list means that all
// rules hold. It is independent of model/loopnest/rules/legality.h and serves the checkers of the loop-nest
// spaces; see expansion.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/loopnest/second_reading/expansion.h"

namespace nestor::verify {

/// Names of the memories and axes of a machine, for messages.
struct PartNames {
  std::span<const std::string> memories;
  std::span<const std::string> axes;
};

/// Bounds, strides, dilations and widths of the layer must be positive, and sizes must fit 128 bits.
/// `stored`: operands that each memory stores although it has no loop of them.
std::vector<std::string> broken_nest_rules(const LayerShape& layer, const Hierarchy& machine,
                                           const PartNames& names, const Mapping& mapping,
                                           const StoredSets& stored = {});

}  // namespace nestor::verify
