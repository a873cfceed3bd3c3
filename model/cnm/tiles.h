// Tiles of one tasklet under a map (docs/models/cnm.md, "Lowering"): for each operand, the tile in its buffer
// and the loops around its requests. An output may be kept in a value, be gathered before it is written, or
// stay until the partial results of the tasklets are added. lower_ir.cpp generates the code from the tiles.
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
  std::vector<Int> local;   ///< extents of a tasklet's part of the operand
  std::vector<Int> extent;  ///< extents of the tile in its buffer
  std::size_t inside = 0;   ///< number of step loops around its requests
  bool in_value = false;    ///< true for an output that is kept in a value
  bool collected = false;   ///< true for an output that is gathered over the collecting loop
  /// True for an output that is reduced over tasklets: it has no request in the loops.
  bool stays = false;
  bool read_first = false;       ///< true for an output that is read before it is written
  std::size_t value_inside = 0;  ///< number of loops (steps, then blocks) around its value
};

struct Tiling {
  std::vector<std::size_t> step_loops, block_loops;  ///< dims, outermost first
  std::vector<Tile> tiles;                           ///< one per operand
  std::optional<std::size_t> collecting;             ///< step loop over which outputs are gathered
  Int group = 1;                                     ///< number of steps of this loop that are gathered
  std::string fault;                                 ///< reason why no code can be generated; otherwise empty
};
Tiling tile_operands(const Kernel& kernel, const CnmMap& map, const System& system);

/// Returns the number of elements that the DMA engine moves for a request of `elements` elements of `size`
/// bytes: whole alignment units.
inline Int aligned_elements(const System& system, Int elements, Int size) {
  return ceil_divide(ceil_divide(elements * size, system.dma.align) * system.dma.align, size);
}
/// Returns the maximum number of elements of `size` bytes in one request.
inline Int elements_per_request(const System& system, Int size) {
  return std::max<Int>(1, system.dma.max_bytes / size);
}
/// Returns the number of requests in the code for `rows` runs of `elements` elements each; large factors are
/// capped.
inline Int requests_for(Int rows, Int elements, Int per_request) {
  constexpr Int many = 1 << 20;
  return std::min(rows, many) * std::min(ceil_divide(elements, per_request), many);
}

/// Returns the number of elements in a contiguous run: all of the trailing dims that the tile covers
/// completely, and its part of the next dim.
Int run_of(const Tile& tile);

}  // namespace nestor::cnm
