// The loops below one spatial choice, placed from the innermost outward as the model's own recursion runs:
// what a partial nest (a Node) is, which loops and transfers may come next, and what they cost
// (docs/models/cim.md, sections on sizes, transfers, latency and energy; nest.cpp). And the rules by which
// nests follow from one another or need no following: when the claim closes one, and when another makes one
// superfluous (rules.cpp).
#pragma once

#include <tbb/concurrent_hash_map.h>

#include <memory>

#include "check/problem.h"

namespace nestor::check {

/// Its nests are one another's parents.
struct CimMapping : LoggedChoice {
  std::array<std::array<bool, 3>, most_memories> doubled{};  ///< whether an operand has two buffers
};
CimMapping read_mapping(const Json& mapping, const Machine& machine);

/// What is asked. By reference.
struct CheckedCimProblem {
  const Layer& layer;
  const Machine& machine;
  const Claim& claim;
};

/// Numbers of a spatial choice that do not change below it.
struct CimLanes {
  CimLanes(const Layer& layer, const Machine& machine, const Spatial& spatial);

  struct Around {
    Extents below;               ///< mapped factors of the axes below a memory
    Int above = 1;               ///< lanes of the axes above it
    bool reduced_above = false;  ///< whether one of those reduces
  };
  struct Way {
    std::size_t to = 0;  ///< a place in the list of divisors
    Int factor = 1;
    bool is_prime = true;
  };
  Extents temporal{};  ///< what the axes leave of the bounds
  bool mirrors;        ///< the choice is its own mirror: so are nests below it
  std::vector<Around> memories;
  Int steps = 1;                                              ///< product of `temporal`
  Wide energy = 0;                                            ///< of compute and of the innermost memories
  std::array<std::vector<Int>, dim_count> divisors;           ///< of `temporal`, ascending
  std::array<std::vector<std::vector<Way>>, dim_count> ways;  ///< from each of them to a multiple
};

/// Placed loops. Two nodes of equal `placed`, `at` and `entered_complete` have the same ways on.
struct Node {
  std::array<std::uint16_t, dim_count> placed{};  ///< their product per dimension, an index into the divisors
  std::array<std::uint8_t, 3> at{};               ///< position in the chain of the block that is being filled
  bool entered_complete = false;                  ///< O came here when all reduction loops were inside
  Int rest = 1;                                   ///< iterations of the loops outside
  Int m = 0;                                      ///< M of the recursion, raised to the largest P
  std::array<Int, 3> p{};
  Int steady = 0;                             ///< stall: sum of (N-1) L and of T_O so far
  std::array<Int, 2> first{};                 ///< stall: sums of T_I and T_W
  Wide energy = 0;                            ///< as in Cost
  std::array<Int, most_memories> departed{};  ///< per memory: bits of blocks that are complete
};

/// What an operand does in the slot of a loop.
struct OperandStep {
  Move move;
  Int cycles = 0;     ///< T
  Int contender = 0;  ///< for the period: P and T, or stall's T' of O
  Wide energy = 0;
  Int bits = 0;  ///< left behind, once
};
using Steps = std::array<OperandStep, 3>;

class CimNest {
 public:
  CimNest(const CheckedCimProblem& problem, const CimLanes& lanes);

  Node root() const;
  /// All that an operand may do next: stay, and every transfer outward, single or double. Bits are not
  /// checked.
  std::vector<OperandStep> steps(const Node& node, Operand operand) const;
  Node after(const Node& node, std::size_t dim, const CimLanes::Way& way, const Steps& steps) const;
  /// The same for a loop that somebody names; nothing if there is none such.
  std::optional<Node> after(const Node& node, const LoggedNest& named) const;
  /// Whether the blocks so far fit; exact once all loops are placed.
  bool fits(const Node& node) const;
  /// Whether what is not home when all loops are placed may be filled from there.
  bool may_end(const Node& node) const;
  /// Leaves only those of `departed` that can still make a difference.
  void forget_idle(Node& node) const;
  /// Of a node with all loops placed.
  Cost cost(const Node& node) const;
  bool may_transfer(const Node& node, Operand operand) const;

  // Pieces that bounds need, too. `content`: products of the loops inside.
  const Memory& memory(Operand x, std::size_t c) const { return problem.machine.memories[memory_at(x, c)]; }
  Int bits_of(Operand operand, const Extents& content, std::size_t position, bool complete) const;
  Int cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const;
  /// Energy of `count` transfers of the tile, of which `back` bring partial sums along; or, where sizes
  /// count, the gain, below zero, of the block left behind, which O entered with all sums complete or not.
  Wide price(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count, Int back,
             bool complete, bool entered_complete) const;
  Extents content_of(const Node& node) const;

  const CheckedCimProblem problem;
  const CimLanes& lanes;
  Wide most_gain = 0;  ///< where sizes count, of full memories

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

  std::array<bool, most_memories> is_ample_{};  ///< holds all operands whole, at their widest, in two buffers
};

MappingCost cost_of(const CheckedCimProblem& problem, const CimMapping& mapping);

/// What each operand alone must still pay, below one spatial choice, for every content in every memory of its
/// chain: a small dynamic program from the full content downward.
///
/// Why it is a bound: the cost of a transfer depends on the content inside it, on the memories and on the
/// iterations outside. Here an operand chooses its transfers for itself, as if loops that it does not see lay
/// inside (fewer iterations outside), sums were complete (narrower, nothing coming back), and other operands
/// took no room; where sizes count, blocks of sums are at their widest. Every way on of a nest is a choice
/// here too, at no more than its cost.
class CimOperandBounds {
 public:
  struct Rest {
    bool possible = false;
    Int transfers = 0;  ///< sum of one T per transfer
    /// Least of the cycles that one stream of transfers imposes: under `stall` a transfer with T in a slot
    /// with r iterations at and outside it makes the steady part at least T (r - 1), and all T come on top;
    /// under `miredo` the last transfer, to the home, leaves P at T r or more, and P of O, in a loop of N, at
    /// T (N + 1) before the r / N iterations outside: both of its rows have 2 T + L (N - 1), L >= T.
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
  std::array<std::size_t, dim_count> strides_{};  ///< 0 where the operand does not see the dimension
  std::vector<Rest> rests_;
};

/// Bounds of choices that look the same to an operand are made once.
struct BoundsCache {
  std::shared_ptr<const CimOperandBounds> get(const CimNest& nest, Operand operand);

  tbb::concurrent_hash_map<std::string, std::shared_ptr<const CimOperandBounds>> made;
};

class Rules : public CimNest {
 public:
  using Lanes = CimLanes;
  using Shared = BoundsCache;

  /// Keeps the lanes by reference.
  Rules(const CheckedCimProblem& problem, const CimLanes& lanes, BoundsCache& cache);
  /// No mapping takes fewer cycles: each element that is needed leaves or enters the home once at least. Of
  /// windows those rows are needed that outputs or taps touch.
  static Int least_transfers(const Layer& layer, const Machine& machine);

  /// Whether the innermost tiles fit, and their steps alone do not meet the claim; if not, nothing else may
  /// be asked.
  bool is_possible() const { return bounds_[0] != nullptr; }
  /// Whether all below is too large, or no better than the claim.
  bool ends(const Node& node) const;
  /// Least latency and energy of all mappings that go on from a node that is not too large; with all loops
  /// placed, what it costs.
  Cost least(const Node& node) const;

  /// Of equal keys: whether every way on to the end costs a no more than b. If M and P of a exceed those of b
  /// by at most D >= 0, then so does L in the next loop, M and P by D N after it (row by row of
  /// docs/models/cim.md (6.3); a double-buffered input with N = 2 has P = 2 T). So in the end P exceeds by at
  /// most D rest, and the steady part grows by at most D (rest - 1) more. Energy and sizes still to come are
  /// the same. Where the cost is a sum, it exceeds by no more than the sum of these differences, whatever
  /// their signs; elsewhere none of them may be above 0.
  bool dominates(const Node& a, const Node& b) const;
  /// The same for nests with the same ways on. A mirrored nest of a choice that is its own mirror has the
  /// mirrored ways on, at the same costs.
  Int key(Node node) const;

  /// Calls visit(child, loop) for every nest that may come next.
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
