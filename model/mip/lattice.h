// The sub-multisets of a dimension's factors, stored on the heap, each as the count of every factor and the
// product. The nodes are numbered in mixed radix; the first is empty, the last is the whole set.
#pragma once

#include <cstdint>
#include <vector>

#include "model/loopnest/factor_set.h"

namespace nestor::mip {

/// Number of occurrences of each factor of a set.
using FactorCounts = std::array<std::uint16_t, max_distinct_factors>;

struct LatticeNode {
  Int value = 1;
  FactorCounts count{};  ///< for each factor of the set
  friend bool operator==(const LatticeNode&, const LatticeNode&) = default;
};

class Lattice {
 public:
  Lattice() = default;
  explicit Lattice(const FactorSet& set);

  const FactorSet& factors() const { return set_; }
  const std::vector<LatticeNode>& nodes() const { return nodes_; }
  std::size_t last() const { return nodes_.size() - 1; }
  /// Returns the node with these counts, which must not exceed those of the set.
  std::size_t find(const FactorCounts& count) const;

 private:
  FactorSet set_;
  std::vector<LatticeNode> nodes_{LatticeNode{}};
};

using Lattices = std::array<Lattice, dim_count>;

Lattices lattices_of(const FactorSets& sets);

}  // namespace nestor::mip
