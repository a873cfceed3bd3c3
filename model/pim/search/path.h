// Sequence of the loops placed so far, outermost first. It is recorded while some operand is in DRAM, because
// the row activations of this operand depend on the order of the loops. For an operand, adjacent loops over
// one dimension are merged, and so are adjacent loops that only repeat its visits. Two paths are equal for
// the operand if they agree after merging.
#pragma once

#include "model/loopnest/mapping.h"
#include "model/loopnest/search/spatial_choice.h"

namespace nestor::pim {

class Path {
 public:
  void push(std::size_t dim, std::size_t factor) {
    steps_[count_++] = static_cast<std::uint8_t>(dim << 4U | factor);
  }
  void clear() { *this = {}; }
  /// Removes all loops inside the outermost `count` loops.
  void cut(std::size_t count) {
    while (count_ > count) steps_[--count_] = 0;
  }
  friend bool operator==(const Path&, const Path&) = default;
  std::size_t size() const { return count_; }
  std::size_t dim(std::size_t i) const { return steps_[i] >> 4U; }
  std::size_t factor(std::size_t i) const { return steps_[i] & 15U; }
  /// True if every step is in the lattices. A step read from a file may be invalid.
  bool is_within(const Lattices& lattices) const {
    if (count_ > max_loops) return false;
    for (std::size_t i = 0; i < count_; ++i)
      if (dim(i) >= dim_count || factor(i) >= lattices[dim(i)].factor_count()) return false;
    return true;
  }

 private:
  std::array<std::uint8_t, max_loops> steps_{};  // dimension, and index of the factor in its lattice
  std::uint8_t count_ = 0;
};

/// Calls visit(dim, count) for the loops of a path, merged for an operand, outermost first. Repeating loops
/// have the dimension dim_count.
template <typename Visit>
void each_seen_loop(const Path& path, const Lattices& lattices, const LayerShape& layer, Operand operand,
                    Visit visit) {
  std::size_t open = dim_count + 1;
  Int count = 1;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t dim = path.dim(i);
    const std::size_t seen = layer.is_relevant(static_cast<Dim>(dim), operand) ? dim : dim_count;
    if (seen != open) {
      if (count > 1) visit(open, count);
      open = seen;
      count = 1;
    }
    count *= lattices[dim].factor(path.factor(i));
  }
  if (count > 1) visit(open, count);
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 31U);
}

}  // namespace nestor::pim
