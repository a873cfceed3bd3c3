// SPDX-License-Identifier: Apache-2.0
// Changes of one decision of a mapping, for local searches: a loop moves onto an axis or back, a block ends
// elsewhere, a double buffer is added or removed, loops change places. They need no tables.
#pragma once

#include <array>

#include "model/cim/search/problem.h"

namespace nestor::cim {

class NestMoves {
 public:
  /// True if the problem allows all prime factors of its bounds, and its additive cost is energy. A mapping
  /// of other problems can change into one that is not allowed or has no cost here.
  static bool apply_to(const CimProblem& problem);
  /// `apply_to(problem)` must be true.
  explicit NestMoves(const CimProblem& problem) : problem_(problem) {}

  /// Changes are identified by numbers below this count, which depends on the number of loops.
  std::size_t change_count(const Mapping& mapping) const;
  /// Returns false for an invalid change, which leaves the mapping unchanged.
  bool change(std::size_t number, Mapping& mapping) const;
  /// Returns the cost of a mapping after bringing it into canonical form, or no_cost if a memory is too small
  /// or a constraint is violated.
  Cost cost_of(Mapping& mapping) const;
  /// Returns the work of evaluating a mapping, which grows with its loops and memories.
  std::uint32_t units_of_cost(const Mapping& mapping) const {
    return static_cast<std::uint32_t>(4 + 2 * mapping.loops.size() + 3 * problem_.machine.memories.size());
  }
  /// Puts every loop outside all memories except the homes; no mapping needs less memory.
  void put_all_at_home(Mapping& mapping) const;

 private:
  // A block is a pair of memory and operand.
  std::size_t distinct_factors() const;
  static bool move_loop(std::size_t from, std::size_t to, Mapping& mapping);
  static bool exchange_loops(std::size_t a, std::size_t b, Mapping& mapping);
  bool move_boundary(std::size_t block, std::size_t loops_outside, Mapping& mapping) const;
  bool toggle_buffer(std::size_t block, Mapping& mapping) const;
  bool put_on_axis(std::size_t axis, std::size_t loop, Mapping& mapping) const;
  bool take_from_axis(std::size_t axis, std::size_t dim, Int factor, std::size_t loop,
                      Mapping& mapping) const;

  const CimProblem& problem_;
};

}  // namespace nestor::cim
