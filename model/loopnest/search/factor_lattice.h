// The sub-multisets of a factor set, represented as numbers. Node 0 is empty, the last node is the whole set,
// and the complement of node i is last - i. Multiplying by factor k adds stride(k) to the number. This is a
// divisor lattice whose factors need not be prime.
#pragma once

#include "base/arena.h"
#include "model/loopnest/factor_set.h"

namespace nestor {

using LatticeNode = std::uint16_t;

class FactorLattice {
 public:
  /// Returns the arena bytes that build() needs.
  static std::size_t bytes_needed(const FactorSet& set) {
    constexpr std::size_t per_node = sizeof(Int) + sizeof(std::uint16_t) + sizeof(std::uint8_t);
    constexpr std::size_t padding = 64;
    return size_of(set) * per_node + padding;
  }
  /// Returns the number of sub-multisets of a set.
  static std::size_t size_of(const FactorSet& set) {
    std::size_t size = 1;
    for (const auto& factor : set.factors) size *= factor.count + std::size_t{1};
    return size;
  }
  /// Returns false if the arena is too small or the set has more than 65535 sub-multisets.
  bool build(const FactorSet& set, Arena& arena) {
    set_ = set;
    return build(arena);
  }
  /// Builds the lattice of the set that was written to set_in_place().
  bool build(Arena& arena);
  FactorSet& set_in_place() { return set_; }

  std::size_t size() const { return size_; }
  LatticeNode last() const { return static_cast<LatticeNode>(size_ - 1); }
  Int value(LatticeNode node) const { return values_[node]; }
  Int remaining(LatticeNode node) const { return values_[last() - node]; }
  /// Returns the number of factors in the node, with multiplicity.
  int depth(LatticeNode node) const { return depths_[node]; }

  std::size_t factor_count() const { return set_.factors.size(); }
  Int factor(std::size_t k) const { return set_.factors[k].value; }
  LatticeNode stride(std::size_t k) const { return strides_[k]; }
  bool can_multiply(LatticeNode node, std::size_t k) const { return ((steps_[node] >> k) & 1U) != 0; }
  /// True if the factors of `more` are available in addition to those of `node`: adding the two nodes in
  /// mixed radix causes no carry (a carry would lower the depth) and stays within the set.
  bool fits_beside(LatticeNode node, LatticeNode more) const {
    const auto sum = static_cast<std::size_t>(node) + more;
    return sum < size_ && depth(static_cast<LatticeNode>(sum)) == depth(node) + depth(more);
  }
  /// Computes the factor set of a node's complement.
  void complement(LatticeNode node, FactorSet& rest) const;
  FactorSet complement(LatticeNode node) const {
    FactorSet rest;
    complement(node, rest);
    return rest;
  }

 private:
  FactorSet set_;
  std::size_t size_ = 1;
  std::array<LatticeNode, max_distinct_factors> strides_{};
  const Int* values_ = nullptr;
  const std::uint16_t* steps_ = nullptr;
  const std::uint8_t* depths_ = nullptr;
};

}  // namespace nestor
