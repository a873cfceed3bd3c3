#include "model/pim/second_reading/even_blocks.h"

namespace nestor::pim_reading {
namespace {

using verify::Stations;

// Returns the number of loops outside an operand's tile if the level starts after `loops` loops. Irrelevant
// loops at the inner end of the outer block belong to the tile.
std::size_t canonical(const LayerShape& layer, const Mapping& mapping, Operand operand, std::size_t loops) {
  while (loops > 0 && !layer.is_relevant(mapping.loops[loops - 1].dim, operand)) --loops;
  return loops;
}

}  // namespace

std::optional<std::size_t> memory_without_level(const LayerShape& layer, const Hierarchy& machine,
                                                const Mapping& mapping, const verify::StoredSets& stored) {
  std::array<Stations, operand_count> stations;
  for (const Operand operand : all_operands)
    stations[index_of(operand)] = verify::stations_of(operand, machine, mapping, stored);
  // True if the tile of every operand that uses the memory, other than as its home, starts at this level.
  const auto gives_tiles = [&](std::size_t m, std::size_t begin) {
    for (const Operand operand : all_operands) {
      const Stations& used = stations[index_of(operand)];
      for (std::size_t s = 1; s < used.size(); ++s)
        if (used[s].memory == m && canonical(layer, mapping, operand, begin) != used[s].loops_outside)
          return false;
    }
    return true;
  };
  std::size_t begin = 0;  // the first possible start is best: inner levels start there or further inside
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    while (begin <= mapping.loops.size() && !gives_tiles(m, begin)) ++begin;
    if (begin > mapping.loops.size()) return m;
  }
  return std::nullopt;
}

}  // namespace nestor::pim_reading
