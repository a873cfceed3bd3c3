// A mapping of a layer onto the memories and axes of a machine, as a result states it: the rules that it
// breaks, and the memories that its operands use. The contracts of loop-nest spaces compute figures from it.
#pragma once

#include "check/json.h"
#include "check/problem.h"

namespace nestor::check {

struct MappedLoop {
  std::size_t dim = N;
  Int factor = 1;
  std::array<std::size_t, 3> at{};  ///< memory of each operand
};
/// A memory that an operand uses.
struct Station {
  std::size_t position = 0;  ///< in the operand's chain
  std::size_t memory = 0;
  std::size_t outside = 0;  ///< number of loops outside the operand's tile in this memory
};

/// The memories that each operand uses, its home first.
using Stations = std::array<std::vector<Station>, 3>;

struct MappedNest {
  Spatial spatial;
  std::vector<MappedLoop> loops;  ///< outermost first
  Pairs stored{};                 ///< memories that are used even without a loop
  Pairs doubled{};                ///< memories with two buffers

  Stations stations(const Machine& machine) const;
  /// Returns the extents inside the outermost `outside` loops and all axes.
  Extents left(const Layer& layer, std::size_t outside) const;
  /// True if a reduction is among the outermost `outside` loops.
  bool reduces(std::size_t outside) const;
  /// True if a reduction is outside the tile of station s or in its block, so that a tile of O contains
  /// partial sums. The innermost memory has no block.
  bool has_sums(const std::vector<Station>& stations, std::size_t s) const {
    return s + 1 < stations.size() && reduces(stations[s + 1].outside);
  }
};

MappedNest read_nest(const Json& mapping, const Machine& machine);

/// Returns the rules that a nest breaks, apart from capacities: one sentence each, with numbers. The list is
/// empty if the nest is legal and canonical.
std::vector<std::string> broken_rules(const MappedNest& nest, const Layer& layer, const Machine& machine);

/// Numbers of bits, per memory.
using MemoryBits = std::array<Int, most_memories>;
/// Returns the bits of all tiles in each memory, with both buffers. An operand's home holds no tile.
/// `bits_of(x, s)` are the bits of the tile in an operand's station s.
MemoryBits held_bits(const MappedNest& nest, const Stations& stations, const auto& bits_of) {
  MemoryBits held{};
  for (const Operand x : operands)
    for (std::size_t s = 1; s < stations[x].size(); ++s) {
      const std::size_t m = stations[x][s].memory;
      held[m] = plus(held[m], times(bits_of(x, s), nest.doubled[m][x] ? 2 : 1));
    }
  return held;
}
/// Returns a sentence for each memory that holds more bits than its capacity.
std::vector<std::string> overfull(const MemoryBits& held, const Machine& machine);

}  // namespace nestor::check
