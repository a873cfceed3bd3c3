// Independent check that a loop nest is legal and canonical (docs/models/cim.md, sections 3 and 4). The
// result is a list of sentences, one for each broken rule with its numbers; an empty list means that the loop
// nest satisfies all rules. The check shares no code with model/loopnest/rules/legality.h; it is based on
// expansion.h. The independent checkers of the loop-nest spaces use it.
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

/// Returns the sentences. Requires positive bounds, strides, dilations and widths of the layer, and sizes
/// that fit 128 bits.
std::vector<std::string> broken_nest_rules(const LayerShape& layer, const Hierarchy& machine,
                                           const PartNames& names, const Mapping& mapping);

}  // namespace nestor::verify
