// Neighbours of a schedule's sequence. A move shifts a gate to an earlier or later position, together with
// all gates that must move with it: its ancestors if earlier, its descendants if later. Every move is
// therefore legal. A move may also assign gates to another working array, with or without a shift. Moves are
// applied in place and can be undone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "heuristics/simd/crossings.h"
#include "model/simd/sequence.h"

namespace nestor::simd {

class Mover {
 public:
  Mover(Sequence& sequence, const WorkingArrays& working);

  /// Applies a random move. Returns false if the draw changes nothing.
  bool propose(Random& random);
  void undo();
  /// Applies an undone move again.
  void redo();
  /// True if the last move changed the order, not only arrays.
  bool rearranged() const { return rearranged_; }
  /// Returns the change in crossings between arrays that the last move caused.
  std::int32_t crossing_change() const { return crossing_change_; }
  /// Return the first and last changed position.
  std::uint32_t first() const { return first_; }
  std::uint32_t last() const { return last_; }

 private:
  bool move_earlier(std::uint32_t from, std::uint32_t to);
  bool move_later(std::uint32_t from, std::uint32_t to);
  bool collect_ancestors(std::uint32_t gate, std::uint32_t lowest);
  bool collect_descendants(std::uint32_t gate, std::uint32_t highest);
  bool send(Random& random);
  void gather_companions(std::uint32_t from, Random& random);
  void mark(std::uint32_t gate);
  void apply();
  std::uint32_t target(std::uint32_t from, bool earlier, Random& random) const;

  Sequence* sequence_;
  std::uint8_t working_arrays_;
  std::vector<std::uint32_t> block_;
  std::vector<std::uint32_t> stamp_;
  std::uint32_t stamp_now_ = 0;
  std::vector<std::uint32_t> before_, after_;
  std::vector<std::uint8_t> arrays_before_;
  std::uint8_t sent_to_ = 0;
  Crossings crossings_;
  std::int32_t crossing_change_ = 0;
  std::uint32_t first_ = 0, last_ = 0;
  bool rearranged_ = false, sent_ = false;
};

}  // namespace nestor::simd
