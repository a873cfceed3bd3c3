// Memories that several operands use, and that therefore couple the decisions for these operands. A label
// tracks each of them in a slot, in addition to the block of each operand.
#pragma once

#include "base/fixed_vector.h"
#include "model/loopnest/hierarchy.h"

namespace nestor {

/// Largest number of memories that a label can track.
inline constexpr std::size_t max_shared_memories = 8;

struct SharedMemory {
  std::size_t memory = 0;
  OperandSet operands;                                 ///< operands with this memory in their chains
  std::array<std::uint8_t, operand_count> position{};  ///< position in the operand's chain; 0: the home, or
                                                       ///< not in the chain
};

/// The memories of each operand, home first.
using OperandChains = std::array<FixedVector<std::uint8_t, max_memories>, operand_count>;

/// Index of each memory in the list of shared memories, or no_slot.
using SharedSlots = std::array<std::uint8_t, max_memories>;
inline constexpr std::uint8_t no_slot = 0xFF;

/// Lists the memories for which `must_follow(shared)` is true, outermost first. `Shared` is SharedMemory or a
/// type derived from it, whose additional fields the predicate sets. Returns false if there are too many
/// memories.
template <typename Shared, typename MustFollow>
bool find_shared_memories(const OperandChains& chains, std::size_t memories,
                          FixedVector<Shared, max_shared_memories>& list, SharedSlots& slots,
                          MustFollow must_follow) {
  list.clear();
  slots.fill(no_slot);
  for (std::size_t m = 0; m < memories; ++m) {
    Shared shared;
    shared.memory = m;
    for (std::size_t x = 0; x < operand_count; ++x)
      for (std::size_t c = 0; c < chains[x].size(); ++c) {
        if (chains[x][c] != m) continue;
        shared.operands.insert(static_cast<Operand>(x));
        shared.position[x] = static_cast<std::uint8_t>(c);
      }
    if (!must_follow(shared)) continue;
    if (list.full()) return false;
    slots[m] = static_cast<std::uint8_t>(list.size());
    list.push_back(shared);
  }
  return true;
}

}  // namespace nestor
