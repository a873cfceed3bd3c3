// The sub-multisets of a dimension's factors, on the heap: how many of each factor, and their product. The
// nodes are in mixed radix; the first is empty, the last is the whole set.
#pragma once

#include <cstdint>
#include <vector>

#include "model/loopnest/factor_set.h"

namespace nestor::mip {

/// Per factor of a set, how often.
using FactorCounts = std::array<std::uint16_t, max_distinct_factors>;

struct LatticeNode {
  Int value = 1;
  FactorCounts count{};  ///< per factor of the set
  friend bool operator==(const LatticeNode&, const LatticeNode&) = default;
};

class Lattice {
 public:
  Lattice() = default;
  explicit Lattice(const FactorSet& set);

  const FactorSet& factors() const { return set_; }
  const std::vector<LatticeNode>& nodes() const { return nodes_; }
  std::size_t last() const { return nodes_.size() - 1; }
  /// The node with these counts; the counts do not exceed the set's.
  std::size_t find(const FactorCounts& count) const;

 private:
  FactorSet set_;
  std::vector<LatticeNode> nodes_{LatticeNode{}};
};

using Lattices = std::array<Lattice, dim_count>;

Lattices lattices_of(const FactorSets& sets);

}  // namespace nestor::mip
