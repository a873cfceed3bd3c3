// Independent check of the pim model: the legality of a mapping (docs/models/pim.md, sections 1, 2 and 5),
// and the compute cycles, memory use, tile sizes and dataflow of a result. sim/pim recomputes all other
// figures. The code shares types with model/pim (machine, mapping) but no code; a test checks the includes of
// these files. Rules of all loop nests are in model/loopnest/second_reading, on which this code is based.
//
// model/pim intersects the possible ranges of level starts and multiplies tiles from the inside. This code
// brings every possible level start into canonical form and divides the layer from the outside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/loopnest/second_reading/nest_rules.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim_reading {

using verify::PartNames;
using verify::Wide;

/// Returns the reasons why the machine does not accept the layer, or the rules that the mapping breaks: one
/// sentence each, with numbers. The list is empty if the mapping is legal and canonical.
std::vector<std::string> broken_rules(const LayerShape& layer, const pim::PimMachine& machine,
                                      const PartNames& names, const pim::PimMapping& mapping);

/// Returns the deviations of a mapping from a bypass table that is common to all layers (section 7.5): stored
/// pairs must be used, and other pairs must have no loop. The mapping must break no other rule.
std::vector<std::string> broken_table(const pim::PimMachine& machine, const PartNames& names,
                                      const pim::PimMapping& mapping, const pim::StoredPairs& table);

/// Memory that an operand uses, and how it is filled. For the home, only `memory` is set.
struct Filling {
  std::size_t memory = 0;
  std::size_t source = 0;  ///< next used memory outward
  Wide times = 1;          ///< number of tiles moved from `source`, or for O back to it
  Wide size_bits = 0;      ///< size of the tile in one instance of the memory
};

struct PimFigures {
  std::array<FixedVector<Filling, max_memories>, operand_count> fillings;  ///< home first
  std::array<Wide, max_memories> usage_bits{};
  Wide compute_cycles = 0;
};

/// Returns the figures of a mapping, which must break no rule.
PimFigures recompute(const LayerShape& layer, const pim::PimMachine& machine, const pim::PimMapping& mapping);

/// Returns the name of the dataflow (section 8).
std::string_view dataflow(const LayerShape& layer, const pim::PimMapping& mapping);

}  // namespace nestor::pim_reading
