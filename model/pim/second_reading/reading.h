// The second reading of the pim model: whether a mapping is one that the model knows (docs/models/pim.md,
// sections 1, 2 and 5), and what a result says of it beside cycles, bits and energy, which sim/pim walks.
// Read again to check what the search claims: it shares types with model/pim (machine, mapping) and no code,
// which a test of what these files include sees to. What holds for any loop nest is read in
// model/loopnest/second_reading, on which this room stands.
//
// Where model/pim narrows windows for levels and multiplies tiles up from the inside, this reading brings
// every place for a level into canonical form and divides the layer from the outside.
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

/// Why this layer is not taken on this machine, or which rules the mapping breaks: a sentence each, with its
/// numbers. Empty: the mapping is legal and canonical.
std::vector<std::string> broken_rules(const LayerShape& layer, const pim::PimMachine& machine,
                                      const PartNames& names, const pim::PimMapping& mapping);

/// Where a mapping departs from a bypass table that all layers share (section 7.5): stored pairs are used,
/// others hold no loop. The mapping breaks no other rule.
std::vector<std::string> broken_table(const pim::PimMachine& machine, const PartNames& names,
                                      const pim::PimMapping& mapping, const pim::StoredPairs& table);

/// A memory that an operand uses, and how it is filled; of the home only `memory` says anything.
struct Filling {
  std::size_t memory = 0;
  std::size_t source = 0;  ///< the next used memory outward
  Wide times = 1;          ///< how often a tile moves from there, or for O back
  Wide size_bits = 0;      ///< the tile, in one instance of the memory
};

struct PimFigures {
  std::array<FixedVector<Filling, max_memories>, operand_count> fillings;  ///< home first
  std::array<Wide, max_memories> usage_bits{};
  Wide compute_cycles = 0;
};

/// Of a mapping that breaks no rule.
PimFigures recompute(const LayerShape& layer, const pim::PimMachine& machine, const pim::PimMapping& mapping);

/// The name of the dataflow (section 8).
std::string_view dataflow(const LayerShape& layer, const pim::PimMapping& mapping);

}  // namespace nestor::pim_reading
