// A mapped nest taken apart from the outside: for each operand the memories it passes through (its stations)
// and the tile that is left of the layer at each (docs/models/cim.md, sections 1 to 5). What the second
// readings of loop-nest spaces stand on; it shares types with what it checks (model/loopnest/rules), and no
// formula.
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/loopnest/second_reading/wide.h"

namespace nestor::verify {

using WideExtents = std::array<Wide, dim_count>;

/// A memory that an operand uses, with the number of temporal loops that stand outside its content.
struct Station {
  std::size_t memory = 0;
  std::size_t loops_outside = 0;  ///< loops [0, loops_outside) are outside, the rest is content
  bool doubled = false;
};
using Stations = FixedVector<Station, max_memories>;

/// Pairs of a memory and an operand that is kept there although no loop is, one set of operands per memory.
using StoredSets = std::array<OperandSet, max_memories>;

/// Home first, innermost last: the used memories of section 3.
Stations stations_of(Operand operand, const Hierarchy& machine, const Mapping& mapping,
                     const StoredSets& stored = {});

/// What is left of the layer inside the first `loops_outside` loops and the first `axes_outside` axes.
WideExtents remainder(const LayerShape& layer, const Mapping& mapping, std::size_t loops_outside,
                      std::size_t axes_outside);

/// Elements of an operand's tile: (1.1), (1.2), (1.3).
Wide elements(Operand operand, const WideExtents& extents, const LayerShape& layer);

/// Product of all factors on axes [begin, end), whatever their dimension.
Wide lanes(const Mapping& mapping, std::size_t begin, std::size_t end);
/// True if one of the axes [0, end) carries a factor of a reduction dimension.
bool reduces_across(const LayerShape& layer, const Mapping& mapping, std::size_t end);
/// True if one of the loops [0, end) runs over a reduction dimension.
bool reduces_outside(const LayerShape& layer, const Mapping& mapping, std::size_t end);

/// Bits of one element when it is stored at `stations[s]`, (4.2), and when it moves between that station and
/// the next one outward, (5.2).
Wide stored_width(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                  const Hierarchy& machine, const Mapping& mapping);
Wide moved_width(Operand operand, const Station& station, const LayerShape& layer, const Mapping& mapping);

/// (4.1)
Wide stored_bits(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                 const Hierarchy& machine, const Mapping& mapping);

}  // namespace nestor::verify
