// Tiles of one tasklet under a map: of each operand the tile in its buffer, which loops stand around its
// requests, whether an output lives in a value, is gathered before it is written, or stays until the
// tasklets' partial results are added (docs/models/cnm.md, "Lowering"). The code is written from this:
// lower_ir.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

struct Tile {
  std::string buffer;
  std::vector<Int> local;        ///< extents of the operand
  std::vector<Int> extent;       ///< extents of the tile that its buffer holds
  std::size_t inside = 0;        ///< step loops around its requests
  bool in_value = false;         ///< an output that lives in a value
  bool collected = false;        ///< an output gathered over the collecting loop
  bool stays = false;            ///< an output reduced over tasklets: no request in the loops
  bool read_first = false;       ///< an output that is read before it is written
  std::size_t value_inside = 0;  ///< loops (steps, then blocks) around its value
};

struct Tiling {
  std::vector<std::size_t> step_loops, block_loops;  ///< dims, outermost first
  std::vector<Tile> tiles;                           ///< by operand
  std::optional<std::size_t> collecting;             ///< the step loop over which outputs are gathered ...
  Int group = 1;                                     ///< ... and how many of its steps
  std::string fault;                                 ///< why no code can be written; empty if nothing
};
Tiling tile_operands(const Kernel& kernel, const CnmMap& map, const System& system);

/// Elements that the DMA engine moves where `elements` of `size` bytes are asked for: whole units of it.
inline Int aligned_elements(const System& system, Int elements, Int size) {
  return ceil_divide(ceil_divide(elements * size, system.dma.align) * system.dma.align, size);
}
/// Elements of `size` bytes that one request takes at most.
inline Int elements_per_request(const System& system, Int size) {
  return std::max<Int>(1, system.dma.max_bytes / size);
}
/// Requests in the code for `rows` runs of `elements` each; many are not counted to the end.
inline Int requests_for(Int rows, Int elements, Int per_request) {
  constexpr Int many = 1 << 20;
  return std::min(rows, many) * std::min(ceil_divide(elements, per_request), many);
}

/// Elements in a row of memory: trailing dims that the tile covers whole, and what it covers of the next.
Int run_of(const Tile& tile);

}  // namespace nestor::cnm
