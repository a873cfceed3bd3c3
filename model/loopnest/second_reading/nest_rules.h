// Is this a legal and canonical loop nest (docs/models/cim.md, sections 3 and 4)? A list of sentences, each
// one broken rule with its numbers; empty means that it is. Second reading of
// model/loopnest/rules/legality.h, for the second readings of loop-nest spaces; see expansion.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/loopnest/second_reading/expansion.h"

namespace nestor::verify {

/// What a person calls the memories and axes of a machine.
struct PartNames {
  std::span<const std::string> memories;
  std::span<const std::string> axes;
};

/// Bounds, strides, dilations and widths of the layer are positive, and sizes fit 128 bits. `stored`: of
/// pairs of a memory and an operand that it holds.
std::vector<std::string> broken_nest_rules(const LayerShape& layer, const Hierarchy& machine,
                                           const PartNames& names, const Mapping& mapping,
                                           const StoredSets& stored = {});

}  // namespace nestor::verify
