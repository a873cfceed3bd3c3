// Loop nests below one spatial choice, built from the innermost loop outward, as in the model's recursion,
// and the rules that prune them. A Node is a partial nest. nest.cpp determines its possible next loops and
// transfers and their costs (docs/models/cim.md, sections on sizes, transfers, latency and energy). rules.cpp
// determines which of the next nests are needed, and when the claim closes a nest or another nest dominates
// it.
#pragma once

#include <tbb/concurrent_hash_map.h>

#include <memory>

#include "check/problem.h"

namespace nestor::check {

/// A mapping as a chain of nests, each the parent of the next.
struct CimMapping : LoggedChoice {
  Pairs doubled{};  ///< true for two buffers
};
CimMapping read_mapping(const Json& mapping, const Machine& machine);

/// References to the parts of the problem.
struct CheckedCimProblem {
  const Layer& layer;
  const Machine& machine;
  const Claim& claim;
};

struct CimLanes : SpatialLanes {
  CimLanes(const Layer& layer, const Machine& machine, const Spatial& spatial);

  struct Way {
    std::size_t to = 0;  ///< index in the list of divisors
    Int factor = 1;
    bool is_prime = true;
  };
  bool mirrors;  ///< true if the choice equals its mirror image; nests below it can then be mirrored
  std::array<Wide, 3> served{};                               ///< energy of the innermost memories
  Wide energy = 0;                                            ///< this energy and that of compute
  std::array<std::vector<Int>, dim_count> divisors;           ///< divisors of `temporal`, ascending
  std::array<std::vector<std::vector<Way>>, dim_count> ways;  ///< ways from each divisor to its multiples
};

/// A partial nest. Two nodes with equal `placed`, `at` and `entered_complete` have the same continuations.
struct Node {
  std::array<std::uint16_t, dim_count> placed{};  ///< product of placed loops per dimension, as an index into
                                                  ///< the divisors
  std::array<std::uint8_t, 3> at{};               ///< per operand: position of its current block in its chain
  bool entered_complete = false;                  ///< true if O entered this block with all reduction loops
                                                  ///< inside
  Int rest = 1;                                   ///< iterations of the remaining (outer) loops
  Int m = 0;                                      ///< M of the recursion, raised to the largest P
  std::array<Int, 3> p{};
  Int steady = 0;                             ///< stall: sum of (N-1) L and of T_O so far
  std::array<Int, 2> first{};                 ///< stall: sums of T_I and T_W
  Wide energy = 0;                            ///< energy as in Cost
  std::array<Int, most_memories> departed{};  ///< bits of completed blocks, per memory
};

/// The action of an operand at a loop.
struct OperandStep {
  Move move;
  Int cycles = 0;     ///< cycles of the transfer, T
  Int contender = 0;  ///< candidate for the period, from P and T, or from P and T' of O under stall
  Wide energy = 0;
  Int bits = 0;  ///< bits of one buffer of the block that the operand leaves
};
using Steps = std::array<OperandStep, 3>;

/// Transfers of a tile between two memories.
struct Traffic {
  Int read = 0;  ///< bits that one instance of the outer memory sends inward
  Int written = 0;
  Wide given = 0;  ///< energy of the outer memory
  Wide taken = 0;  ///< energy of the inner memory
};

class CimNest {
 public:
  CimNest(const CheckedCimProblem& problem, const CimLanes& lanes);

  Node root() const;
  /// Returns all next actions of an operand: staying, and every transfer outward with one or two buffers.
  /// Capacities are not checked.
  std::vector<OperandStep> steps(const Node& node, Operand operand) const;
  Node after(const Node& node, std::size_t dim, const CimLanes::Way& way, const Steps& steps) const;
  /// Returns the node after a loop of a proof, or nothing if there is no such loop.
  std::optional<Node> after(const Node& node, const LoggedNest& named) const;
  /// True if the blocks so far fit. The answer is exact once all loops are placed.
  bool fits(const Node& node) const;
  /// True if every block that is not at home when all loops are placed can be filled from its home or drained
  /// to it.
  bool may_end(const Node& node) const;
  /// Clears the entries of `departed` that no longer matter.
  void forget_idle(Node& node) const;
  /// Returns the cost of a node with all loops placed.
  Cost cost(const Node& node) const;
  bool may_transfer(const Node& node, Operand operand) const;

  // Functions that the bounds also use. `content` is the product of the inner loops, per dimension.
  const Memory& memory(Operand x, std::size_t c) const { return problem.machine.memories[memory_at(x, c)]; }
  Int bits_of(Operand operand, const Extents& content, std::size_t position, bool complete) const;
  Int cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const;
  /// Returns `count` transfers of the tile and, for O, `back` transfers that return partial sums.
  Traffic traffic(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count,
                  Int back, bool complete) const;
  /// Returns the energy of such transfers. If sizes are part of the objective, returns the gain of the block
  /// left behind, as a negative number. `entered_complete`: O entered that block with all sums complete.
  Wide price(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count, Int back,
             bool complete, bool entered_complete) const;
  Extents content_of(const Node& node) const;

  const CheckedCimProblem problem;
  const CimLanes& lanes;
  Wide most_gain = 0;  ///< upper bound on the gain by (8.1)
  Pairs untimed{};     ///< true for transfers inward from a memory that take no time

 private:
  std::size_t memory_at(Operand x, std::size_t c) const { return problem.machine.chains[x][c]; }
  Int remaining(const Node& node, std::size_t dim) const {
    return lanes.temporal[dim] / lanes.divisors[dim][node.placed[dim]];
  }
  bool has_all_reductions(const Node& node) const {
    return remaining(node, C) == 1 && remaining(node, R) == 1 && remaining(node, S) == 1;
  }
  Int elements(Operand operand, const Extents& content, std::size_t memory) const;
  void recur(Node& node, Int n, const Steps& steps) const;

  std::array<bool, most_memories> is_ample_{};  ///< true if a memory has space for all operands, twice and at
                                                ///< full width
};

MappingCost cost_of(const CheckedCimProblem& problem, const CimMapping& mapping);

/// Lower bounds on the remaining cost of one operand, below one spatial choice. There is a bound for every
/// content in every memory of the operand's chain. The bounds are computed by a small dynamic program from
/// the full content downward.
///
/// These are lower bounds because the cost of a transfer depends only on the content inside it, on the
/// memories and on the iterations outside. Here, an operand chooses its transfers independently. It is
/// assumed that loops irrelevant to it are inside (fewer iterations outside), that sums are complete
/// (narrower, nothing returns), and that other operands take no space. If sizes are part of the objective,
/// blocks of sums have their greatest width. Every continuation of a nest corresponds to a choice here that
/// costs no more.
class CimOperandBounds {
 public:
  struct Rest {
    bool possible = false;
    Int transfers = 0;  ///< sum of one T per transfer
    /// Minimum cycles that follow from one transfer. Under `stall`, a transfer of T cycles at a loop makes
    /// the steady part at least T (r - 1), where r counts the iterations of this loop and of all loops
    /// outside it; all T are added. Under `miredo`, the last transfer, to the home, results in a P of at
    /// least T r. P of O, in a loop of N, is at least T (N + 1) before the r / N iterations outside: both of
    /// its formulas in (6.3) are at least 2 T + L (N - 1), and L >= T. If no transfer leads to the home, a
    /// fill or drain is added to the largest P, which is at least the time of all MVMs; one MVM per
    /// iteration of the operand's relevant loops is counted.
    Int stream = 0;
    Wide energy = 0;
    void take_least(const Rest& other);
  };

  CimOperandBounds(const CimNest& nest, Operand operand);
  const Rest& rest(const Node& node) const {
    std::size_t index = 0;
    for (std::size_t d = 0; d < dim_count; ++d) index += node.placed[d] * strides_[d];
    return rests_[index * chain_ + node.at[operand_]];
  }

 private:
  Operand operand_;
  std::size_t chain_;
  std::array<std::size_t, dim_count> strides_{};  ///< 0 for dimensions that are irrelevant to the operand
  std::vector<Rest> rests_;
};

/// Cache of bounds, shared by spatial choices that give an operand the same factors.
struct BoundsCache {
  std::shared_ptr<const CimOperandBounds> get(const CimNest& nest, Operand operand);

  tbb::concurrent_hash_map<std::string, std::shared_ptr<const CimOperandBounds>> made;
};

class Rules : public CimNest {
 public:
  using Lanes = CimLanes;
  using Shared = BoundsCache;

  /// Stores a reference to the lanes.
  Rules(const CheckedCimProblem& problem, const CimLanes& lanes, BoundsCache& cache);
  /// Lower bound on the cycles of every mapping: each required element leaves or enters the home at least
  /// once. Only window rows that outputs or taps touch are required.
  static Int least_transfers(const Layer& layer, const Machine& machine);

  /// True if the innermost tiles fit and the claim does not close the root of the choice. Otherwise, no other
  /// function may be called.
  bool is_possible() const { return bounds_[0] != nullptr; }
  /// True if every mapping below the node is too large or no better than the claim.
  bool ends(const Node& node) const;
  /// Returns lower bounds on the latency and energy of all completions of a node that fits, or the node's
  /// cost if all loops are placed.
  Cost least(const Node& node) const;

  /// Returns true only if no completion costs more below `a` than below `b`. Both nodes must have equal keys.
  /// Let M and P of `a` exceed those of `b` by at most D >= 0. In the next loop, L of `a` exceeds that of `b`
  /// by at most D, and M and P after the loop by at most D N. This follows row by row from docs/models/cim.md
  /// (6.3); a double-buffered input with N = 2 has P = 2 T. After all loops, P of `a` exceeds that of `b` by
  /// at most D rest, and its steady part has grown by at most D (rest - 1) more. The remaining energy and
  /// sizes are equal. If the cost is a sum, that of `a` exceeds that of `b` by at most the sum of these
  /// differences, whatever their signs. Otherwise, no difference may be above 0.
  bool dominates(const Node& a, const Node& b) const;
  /// Returns a key that is equal for nests with the same continuations. If a choice equals its mirror image,
  /// a nest and its mirror image have the same key, because their continuations are mirrored and cost the
  /// same.
  Int key(Node node) const;

  /// Calls visit(child, loop) for every possible next nest.
  void each_child(const Node& node, const auto& visit) const {
    std::array<std::vector<OperandStep>, 3> all;
    for (const Operand x : operands) all[x] = steps(node, x);
    for (std::size_t d = 0; d < dim_count; ++d) {
      const auto offered = [&](Operand x) { return is_relevant(d, x) ? all[x].size() : 1; };
      for (std::size_t i = 0; i < offered(I); ++i)
        for (std::size_t w = 0; w < offered(W); ++w)
          for (std::size_t o = 0; o < offered(O); ++o) {
            const Steps taken = {all[I][i], all[W][w], all[O][o]};
            const std::array moves = {taken[I].move, taken[W].move, taken[O].move};
            for (const auto& way : lanes.ways[d][node.placed[d]])
              if (way.is_prime || is_worth_a_loop(node, way, taken))
                visit(after(node, d, way, taken), {0, static_cast<std::uint8_t>(d), way.factor, moves});
          }
    }
  }

 private:
  bool is_worth_a_loop(const Node& node, const CimLanes::Way& way, const Steps& steps) const;

  const Objective& objective_;
  std::array<std::shared_ptr<const CimOperandBounds>, 3> bounds_;
};

}  // namespace nestor::check
