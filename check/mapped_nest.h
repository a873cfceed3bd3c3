// A mapping of a layer onto the memories and axes of a machine, as a result states it: the rules that it
// breaks, and the memories that its operands use. The contracts of loop-nest spaces compute figures from it.
#pragma once

#include <sstream>

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

struct MappedNest {
  Spatial spatial;
  std::vector<MappedLoop> loops;  ///< outermost first
  Pairs stored{};                 ///< memories that are used even without a loop
  Pairs doubled{};                ///< memories with two buffers

  /// Returns the memories that an operand uses, its home first.
  std::vector<Station> stations(Operand operand, const Machine& machine) const;
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
/// Returns a sentence for each memory that holds more bits than its capacity.
std::vector<std::string> overfull(const std::array<Int, most_memories>& bits, const Machine& machine);

/// Joins words and numbers.
template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

}  // namespace nestor::check
