// A mapped loop nest, decomposed from the outside in (docs/models/cim.md, sections 1 to 5). For each operand,
// it provides the memories on its path (stations) and the part of the layer that is a tile at each station.
// The independent checkers of the loop-nest spaces are built on it. It shares types, but no formula, with the
// rules that they check (model/loopnest/rules).
#pragma once

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"
#include "model/loopnest/second_reading/wide.h"

namespace nestor::verify {

using WideExtents = std::array<Wide, dim_count>;

/// A memory that an operand uses, with the number of temporal loops outside its content.
struct Station {
  std::size_t memory = 0;
  std::size_t loops_outside = 0;  ///< loops [0, loops_outside) are outside the content; all others are inside
  bool doubled = false;
};
using Stations = FixedVector<Station, max_memories>;

/// Returns the memories that an operand uses (section 3), home first, innermost last.
Stations stations_of(Operand operand, const Hierarchy& machine, const Mapping& mapping);

/// Returns the extents of the part of the layer inside the first `loops_outside` loops and the first
/// `axes_outside` axes.
WideExtents remainder(const LayerShape& layer, const Mapping& mapping, std::size_t loops_outside,
                      std::size_t axes_outside);

/// Returns the elements of an operand's tile: (1.1), (1.2), (1.3).
Wide elements(Operand operand, const WideExtents& extents, const LayerShape& layer);

/// Returns the product of all factors on axes [begin, end), of every dimension.
Wide lanes(const Mapping& mapping, std::size_t begin, std::size_t end);
/// True if one of the axes [0, end) carries a factor of a reduction dimension.
bool reduces_across(const LayerShape& layer, const Mapping& mapping, std::size_t end);
/// True if one of the loops [0, end) runs over a reduction dimension.
bool reduces_outside(const LayerShape& layer, const Mapping& mapping, std::size_t end);

/// Return the bits of one element when it is stored at `stations[s]`, (4.2), and when it moves between a
/// station and the next station outward, (5.2).
Wide stored_width(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                  const Hierarchy& machine, const Mapping& mapping);
Wide moved_width(Operand operand, const Station& station, const LayerShape& layer, const Mapping& mapping);

/// Returns the bits of a tile, (4.1).
Wide stored_bits(Operand operand, const Stations& stations, std::size_t s, const LayerShape& layer,
                 const Hierarchy& machine, const Mapping& mapping);

}  // namespace nestor::verify
