#include "model/cnm/tiles.h"

#include <fmt/format.h>

#include <algorithm>

namespace nestor::cnm {
namespace {

class Tiler {
 public:
  Tiler(const Kernel& kernel, const CnmMap& map, const System& system)
      : kernel_(kernel), map_(map), system_(system), tasklet_(map.tuples[map.tuples.size() - 2]) {}

  Tiling run() {
    for (const std::size_t d : map_.order) {
      if (steps(d) > 1) result_.step_loops.push_back(d);
      if (map_.block[d] > 1) result_.block_loops.push_back(d);
    }
    for (std::size_t i = 0; i < kernel_.operands.size() && result_.fault.empty(); ++i) shape_operand(i);
    if (result_.fault.empty()) find_collecting_loop();
    return std::move(result_);
  }

 private:
  Int steps(std::size_t d) const { return map_.local()[d] / map_.block[d]; }

  void shape_operand(std::size_t at) {
    const KernelOperand& operand = kernel_.operands[at];
    Tile tile;
    tile.buffer = operand.name + "_b";
    for (const AffineExpr& expr : operand.map) {
      tile.local.push_back(reach(expr, map_.local()));
      tile.extent.push_back(reach(expr, map_.block));
    }
    for (std::size_t i = 0; i < result_.step_loops.size(); ++i)
      if (operand.uses(result_.step_loops[i])) tile.inside = i + 1;
    if (operand.output) shape_output(operand, tile);
    if (!tile.extent.empty() && !tile.stays) {
      const Int bytes = tile.extent.back() * bytes_of(operand.type);
      const bool small_output =
          operand.output && run_of(tile) * bytes_of(operand.type) < system_.dma.min_bytes;
      if (bytes % system_.dma.align != 0 && tile.extent.back() != tile.local.back() && !small_output)
        result_.fault = fmt::format(
            "a block has {} bytes along the last dim of operand '{}', expected a multiple of {} bytes or the "
            "whole row of {}",
            bytes, operand.name, system_.dma.align, tile.local.back() * bytes_of(operand.type));
    }
    result_.tiles.push_back(std::move(tile));
  }

  void shape_output(const KernelOperand& operand, Tile& tile) {
    const bool reduced = is_reduced(kernel_, operand);
    bool used_block_seen_after = false, value = reduced, unused_step = false;
    for (auto d = result_.block_loops.rbegin(); d != result_.block_loops.rend(); ++d) {
      if (operand.uses(*d)) used_block_seen_after = true;
      if (!operand.uses(*d) && used_block_seen_after) value = false;
    }
    for (std::size_t i = 0; i < result_.step_loops.size(); ++i)
      if (!operand.uses(result_.step_loops[i])) {
        unused_step = true;
        if (i < tile.inside) {
          value = false;
          tile.read_first = true;
        }
      }
    // A value is a single element, so loops over a tile's elements inside unused steps need the buffer.
    if (unused_step && used_block_seen_after) value = false;
    tile.in_value = value;
    if (!reduced) {
      tile.read_first = operand.read || tile.read_first;
    }
    for (std::size_t i = 0; i < result_.block_loops.size(); ++i)
      if (operand.uses(result_.block_loops[i])) tile.value_inside = result_.step_loops.size() + i + 1;
    if (tile.value_inside == 0) tile.value_inside = tile.inside;
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
      if (kernel_.reduction[d] && !operand.uses(d) && tasklet_[d] > 1) tile.stays = true;
    if (tile.stays) {
      tile.extent = tile.local;
      tile.read_first = false;
      tile.inside = 0;
    }
  }

  // Outputs that are too small for a write at each step are gathered over the innermost parallel step loop.
  void find_collecting_loop() {
    for (std::size_t i = 0; i < result_.step_loops.size(); ++i)
      if (!kernel_.reduction[result_.step_loops[i]]) result_.collecting = i;
    Int largest = 1;
    for (std::size_t i = 0; i < kernel_.operands.size(); ++i)
      if (!kernel_.operands[i].output) largest = std::max(largest, elements_of_request(i));
    bool any = false;
    for (std::size_t i = 0; i < kernel_.operands.size(); ++i) {
      const KernelOperand& operand = kernel_.operands[i];
      Tile& tile = result_.tiles[i];
      if (!operand.output || tile.stays) continue;
      if (run_of(tile) * bytes_of(operand.type) >= system_.dma.min_bytes) continue;
      if (!result_.collecting) continue;
      const std::size_t dim = result_.step_loops[*result_.collecting];
      if (!operand.uses(dim)) continue;  // the output is read and written at each visit
      if (operand.map.empty() || operand.map.back().factors[dim] == 0) {
        result_.fault = fmt::format(
            "writes of {} bytes to operand '{}', expected at least {}: they cannot be combined over its last "
            "dim",
            run_of(tile) * bytes_of(operand.type), operand.name, system_.dma.min_bytes);
        return;
      }
      any = true;
      tile.collected = true;
      tile.inside = *result_.collecting;
      const Int block = map_.block[dim];
      result_.group = std::clamp<Int>(map_.collect.value_or(largest) / block, 1, steps(dim));
      tile.extent.back() = tile.extent.back() * result_.group;
    }
    if (!any) result_.collecting.reset();
  }

  // Returns the number of elements of one request. A run that is too long for the engine is read in pieces.
  Int elements_of_request(std::size_t i) const {
    const Int most = system_.dma.max_bytes / bytes_of(kernel_.operands[i].type);
    return std::min(run_of(result_.tiles[i]), std::max<Int>(1, most));
  }

  const Kernel& kernel_;
  const CnmMap& map_;
  const System& system_;
  const std::vector<Int>& tasklet_;  // factors of the innermost level of units
  Tiling result_;
};

}  // namespace

Int run_of(const Tile& tile) {
  Int run = 1;
  for (std::size_t k = tile.extent.size(); k-- > 0;) {
    run *= tile.extent[k];
    if (tile.extent[k] != tile.local[k]) break;
  }
  return run;
}

Tiling tile_operands(const Kernel& kernel, const CnmMap& map, const System& system) {
  return Tiler(kernel, map, system).run();
}

}  // namespace nestor::cnm
