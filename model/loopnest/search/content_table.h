// Possible contents of one operand, taken alone: every content (a sub-multiset of the factors that it sees)
// in every memory of its chain, numbered; and the dynamic programs over content and memory that bound what is
// still to be paid, outward and inward, with the cost as a policy.
//
// Why such bounds are safe: where the cost of a transfer depends only on the content at its jump, a mapping's
// additive cost is a sum over the operands' jumps. The program lets each operand choose its own best jumps
// and pretends that loops which it does not see lie inside, and that other operands take no shared capacity:
// every completion of the joint problem is a choice in this relaxation too, at no more than its true cost.
#pragma once

#include <algorithm>
#include <limits>

#include "model/loopnest/search/operand_setup.h"

namespace nestor {

/// An index into a table: the operand's relevant lattice nodes in mixed radix.
using TableIndex = std::uint32_t;

/// To the next combination of nodes, the first dimension fastest; after the last one, to the first.
inline void step_up(const Lattices& lattices, std::array<LatticeNode, dim_count>& node) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (node[d] != lattices[d].last()) {
      ++node[d];
      return;
    }
    node[d] = 0;
  }
}
/// The way back.
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
  /// Contents under a setup.
  static std::size_t count_of(const OperandSetup& setup);
  /// Arena bytes that build() needs.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// False if the arena is too small, or there are more contents than can be numbered.
  bool build(const NestProblem& problem, const OperandSetup& setup, Arena& arena) {
    setup_ = setup;
    return build(problem, arena);
  }
  /// The same of the setup that was written in place, which is large for a small stack.
  bool build(const NestProblem& problem, Arena& arena);
  OperandSetup& setup_in_place() { return setup_; }

  Operand operand() const { return setup_.operand; }
  const OperandSetup& setup() const { return setup_; }
  /// Contents, all sub-multisets of the relevant factors.
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
  /// Whether a block may move from one chain position straight to another (must-use constraints).
  bool may_jump(std::size_t from, std::size_t to) const { return ((jump_targets_[from] >> to) & 1U) != 0; }
  /// Whether the operand may end with its outermost block here: no memory that it must use lies further out.
  bool may_end(std::size_t position) const { return position == 0 || may_jump(position, 0); }
  /// Extents of a content, and together with the axes below a memory.
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

/// A content of a table, and the iterations of the loops that are left outside it.
struct Content {
  TableIndex index = 0;
  Int remaining = 1;  ///< of all relevant loops
  Int longest = 1;    ///< that one loop can be
};

/// Rest of a dynamic program: what is still to be paid, at least.
template <typename R>
concept TableRest = std::default_initializable<R> && requires(R& rest, const R& other) {
  rest.take_least(other);  // of each part; a rest made by default is unreachable
};

/// The cost of an operand's way outward:
///
///     void begin(content)                    what follows is of this content
///     void take_least(larger, grown)         what was stored for a larger content, per chain position
///     Rest end(content, position)            of the full content, if it may end there
///     Rest jump(content, from, to, grown)    a transfer at this content, then `grown`, the least of what
///     follows
///                                            in `to` once the content has grown
///     bool fits(index, position)             alone
///     void store(position, rest)
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

/// How far a dynamic program over the contents has come.
struct ContentPlace {
  std::size_t next = 0;  ///< contents done
  std::array<LatticeNode, dim_count> node{};
};

/// From the full content downwards: growing inside a block is free, a jump pays for its transfer. `place`
/// begins as the first one (ContentPlace{}); false if the slice ended before.
template <OutwardCost Cost, typename Slice>
bool fill_outward(const ContentTable& table, Cost& cost, ContentPlace& place, Slice& slice) {
  using Rest = typename Cost::Rest;
  const std::size_t chain = table.chain_length();
  auto& node = place.node;
  FixedVector<std::size_t, dim_count> growing;  // dimensions that have factors
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (place.next == 0) node[d] = table.lattice(d).last();
    if (table.lattice(d).last() != 0) growing.push_back(d);
  }
  std::array<Rest, max_memories> grown;  // the least of what follows a larger content, per chain position
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

/// The cost of an operand's way inward, where loops are placed from the outermost on and a content is what is
/// left to place inside. At a content an operand either stays where it is until another loop is placed, or a
/// loop was just placed and it may jump inward first:
///
///     void begin(index)        what follows is of this content; of the empty one, innermost: nothing is left
///     void take_least(smaller) once another loop is placed: what was noted for jumping at a smaller content
///     void stay(remaining)     that were all loops: what an operand pays that stays; `remaining` iterations
///                              of the loops that it sees are outside
///     bool goes_on(position)   whether it can come here and end from here
///     void jump(from, to)      a transfer at this content, then what is paid by staying in `to`
template <typename P>
concept InwardCost = requires(P& cost, TableIndex index, Int remaining, std::size_t position) {
  cost.begin(index);
  cost.take_least(index);
  cost.stay(remaining);
  { cost.goes_on(position) } -> std::same_as<bool>;
  cost.jump(position, position);
};

/// From the empty content upwards: placing a loop is free, a jump pays for its transfer.
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
