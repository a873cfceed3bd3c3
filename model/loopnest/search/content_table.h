// Numbered table of the possible contents of one operand, considered alone: every content (a sub-multiset of
// its relevant factors) in every memory of its chain. Two dynamic programs over contents and memories compute
// lower bounds on the remaining cost: fill_outward() for paths outward, and fill_inward() for paths inward. A
// policy class defines the cost.
//
// A jump is the move of an operand from one memory of its chain to another. The bounds are safe if the cost
// of a transfer depends only on the content at its jump. The additive cost of a mapping is then a sum over
// the jumps of its operands. The relaxation lets each operand choose its own best jumps. It assumes that
// irrelevant loops are inside and that other operands use no shared capacity. Every completion in the joint
// problem is also a solution of this relaxation, in which it costs no more.
#pragma once

#include <algorithm>
#include <limits>

#include "model/loopnest/search/operand_setup.h"

namespace nestor {

/// An index into a table: the operand's relevant lattice nodes in mixed radix.
using TableIndex = std::uint32_t;

/// Moves to the next combination of nodes; the first dimension varies fastest. The last combination wraps to
/// the first.
inline void step_up(const Lattices& lattices, std::array<LatticeNode, dim_count>& node) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (node[d] != lattices[d].last()) {
      ++node[d];
      return;
    }
    node[d] = 0;
  }
}
/// Moves to the previous combination of nodes.
inline void step_down(const Lattices& lattices, std::array<LatticeNode, dim_count>& node) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (node[d] != 0) {
      --node[d];
      return;
    }
    node[d] = lattices[d].last();
  }
}

class ContentTable {
 public:
  /// Returns the number of contents for a setup.
  static std::size_t count_of(const OperandSetup& setup);
  /// Returns the arena bytes that build() needs.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// Returns false if the arena is too small or there are too many contents to number.
  bool build(const NestProblem& problem, const OperandSetup& setup, Arena& arena) {
    setup_ = setup;
    return build(problem, arena);
  }
  /// Builds the table for the setup written to setup_in_place(), which avoids a large copy on a small stack.
  bool build(const NestProblem& problem, Arena& arena);
  OperandSetup& setup_in_place() { return setup_; }

  Operand operand() const { return setup_.operand; }
  const OperandSetup& setup() const { return setup_; }
  /// Returns the number of contents: all sub-multisets of the relevant factors.
  std::size_t count() const { return count_; }
  const Lattices& lattices() const { return lattices_; }
  const FactorLattice& lattice(std::size_t dim) const { return lattices_[dim]; }
  std::size_t chain_length() const { return setup_.chain.size(); }
  std::uint8_t innermost() const { return static_cast<std::uint8_t>(setup_.chain.size() - 1); }
  std::size_t memory(std::size_t position) const { return setup_.chain[position]; }
  TableIndex stride(std::size_t dim) const { return strides_[dim]; }
  TableIndex index(const std::array<LatticeNode, dim_count>& node) const {
    TableIndex index = 0;
    for (std::size_t d = 0; d < dim_count; ++d) index += node[d] * strides_[d];
    return index;
  }
  bool reduced_above(std::size_t position) const { return setup_.reduced_above[position]; }
  /// True if the must-use constraints allow a block to move directly from one chain position to another.
  bool may_jump(std::size_t from, std::size_t to) const { return ((jump_targets_[from] >> to) & 1U) != 0; }
  /// True if the operand's outermost block may be at this position, that is, if no memory further out must be
  /// used.
  bool may_end(std::size_t position) const { return position == 0 || may_jump(position, 0); }
  /// Return the extents of a content, alone or together with the axes below a memory.
  Extents extents_of(const std::array<LatticeNode, dim_count>& node) const {
    return factors_of(node, lattices_);
  }
  Extents extents(const std::array<LatticeNode, dim_count>& node, std::size_t position) const {
    return times(extents_of(node), setup_.below[position]);
  }

 private:
  OperandSetup setup_;
  Lattices lattices_;
  std::array<TableIndex, dim_count> strides_{};
  std::size_t count_ = 1;
  std::array<std::uint32_t, max_memories> jump_targets_{};
};

/// A content of a table, and the iterations of the loops outside it.
struct Content {
  TableIndex index = 0;
  Int remaining = 1;  ///< iterations of all relevant loops outside the content
  Int longest = 1;    ///< largest number of these iterations in a single dimension
};

/// Result of a dynamic program: a lower bound on the remaining cost.
template <typename R>
concept TableRest = std::default_initializable<R> && requires(R& rest, const R& other) {
  rest.take_least(other);  // minimum, component by component; a default-constructed rest is unreachable
};

/// Cost policy of an operand's path outward:
///
///     void begin(content)                   starts a content, to which end(), jump() and store() refer
///     void take_least(larger, grown)        merges the stored rests of a larger content into `grown`, per
///                                           chain position
///     Rest end(content, position)           rest of the full content, if the path may end at this position
///     Rest jump(content, from, to, grown)   rest after a transfer at this content; `grown` is the least rest
///                                           in `to` after the content has grown
///     bool fits(index, position)            true if the content alone fits the memory
///     void store(position, rest)            stores the least rest of the content
template <typename P>
concept OutwardCost = TableRest<typename P::Rest> &&
    requires(P& cost, const Content& content, TableIndex index, std::size_t position,
             const typename P::Rest& rest, typename P::Rest* grown) {
  cost.begin(content);
  cost.take_least(index, grown);
  { cost.end(content, position) } -> std::same_as<typename P::Rest>;
  { cost.jump(content, position, position, rest) } -> std::same_as<typename P::Rest>;
  { cost.fits(index, position) } -> std::same_as<bool>;
  cost.store(position, rest);
};

/// Progress of a dynamic program over the contents.
struct ContentPlace {
  std::size_t next = 0;  ///< number of finished contents
  std::array<LatticeNode, dim_count> node{};
};

/// Computes the rests from the full content downwards. Adding a loop to a block is free; a jump costs its
/// transfer. `place` starts as ContentPlace{}. Returns false if the slice ended first.
template <OutwardCost Cost, typename Slice>
bool fill_outward(const ContentTable& table, Cost& cost, ContentPlace& place, Slice& slice) {
  using Rest = typename Cost::Rest;
  const std::size_t chain = table.chain_length();
  auto& node = place.node;
  FixedVector<std::size_t, dim_count> growing;  // dimensions with factors
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (place.next == 0) node[d] = table.lattice(d).last();
    if (table.lattice(d).last() != 0) growing.push_back(d);
  }
  std::array<Rest, max_memories> grown;  // least rest of a larger content, per chain position
  for (; place.next < table.count(); ++place.next, step_down(table.lattices(), node)) {
    if (slice.over()) return false;
    slice.charge(static_cast<std::uint32_t>(chain * (chain + 1) / 2));
    const std::size_t i = table.count() - 1 - place.next;
    Content content{.index = static_cast<TableIndex>(i)};
    std::fill_n(grown.begin(), chain, Rest{});
    for (const std::size_t d : growing) {
      const FactorLattice& lattice = table.lattice(d);
      content.remaining *= lattice.remaining(node[d]);
      content.longest = std::max(content.longest, lattice.remaining(node[d]));
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        if (!lattice.can_multiply(node[d], k)) continue;
        cost.take_least(content.index + lattice.stride(k) * table.stride(d), grown.data());
      }
    }
    const bool full = i + 1 == table.count();
    cost.begin(content);
    for (std::size_t c = 0; c < chain; ++c) {
      Rest best = full && table.may_end(c) ? cost.end(content, c) : grown[c];
      for (std::size_t to = 0; to < c && !full; ++to)
        if (table.may_jump(c, to)) best.take_least(cost.jump(content, c, to, grown[to]));
      cost.store(c, cost.fits(content.index, c) ? best : Rest{});
    }
  }
  return true;
}

/// Cost policy of an operand's path inward. Loops are placed from the outermost on, and a content is the part
/// that is still to be placed inside. At a content, an operand stays in its memory until another loop is
/// placed. If a loop was just placed, the operand may first jump inward:
///
///     void begin(index)         starts a content; the empty content in the innermost memory costs nothing
///     void take_least(smaller)  merges the costs of the content that remains if another loop is placed
///     void stay(remaining)      called after all take_least(): stores the cost of staying; `remaining`
///                               iterations of the operand's relevant loops are outside
///     bool goes_on(position)    true if the operand can be at this position and complete its path from it
///     void jump(from, to)       merges the cost of a transfer at this content, followed by staying in `to`
template <typename P>
concept InwardCost = requires(P& cost, TableIndex index, Int remaining, std::size_t position) {
  cost.begin(index);
  cost.take_least(index);
  cost.stay(remaining);
  { cost.goes_on(position) } -> std::same_as<bool>;
  cost.jump(position, position);
};

/// Computes the costs from the empty content upwards. Placing a loop is free; a jump costs its transfer.
template <InwardCost Cost>
void fill_inward(const ContentTable& table, Cost& cost) {
  const std::size_t chain = table.chain_length();
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < table.count(); ++i, step_up(table.lattices(), node)) {
    const auto index = static_cast<TableIndex>(i);
    cost.begin(index);
    Int remaining = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = table.lattice(d);
      remaining *= lattice.remaining(node[d]);
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        const LatticeNode stride = lattice.stride(k);
        if (node[d] < stride || !lattice.can_multiply(static_cast<LatticeNode>(node[d] - stride), k))
          continue;
        cost.take_least(index - stride * table.stride(d));
      }
    }
    cost.stay(remaining);
    for (std::size_t to = 1; to < chain; ++to) {
      if (!cost.goes_on(to)) continue;
      for (std::size_t from = 0; from < to; ++from)
        if (table.may_jump(to, from)) cost.jump(from, to);
    }
  }
}

}  // namespace nestor
