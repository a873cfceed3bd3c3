// The loops below one spatial choice, placed from the innermost outward as the model's own recursion runs:
// what a partial nest (a Node) is, which loops and transfers may come next, and what they cost
// (docs/models/cim.md, sections on sizes, transfers, latency and energy).
#pragma once

#include "check/problem.h"

namespace nestor::check {

/// What is asked. By reference.
struct Problem {
  const Layer& layer;
  const Machine& machine;
  const Claim& claim;
};

/// Numbers of a spatial choice that do not change below it.
struct Lanes {
  Lanes(const Layer& layer, const Machine& machine, const Spatial& spatial);

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
struct Step {
  Move move;
  Int cycles = 0;     ///< T
  Int contender = 0;  ///< for the period: P and T, or stall's T' of O
  Wide energy = 0;
  Int bits = 0;  ///< left behind, once
};
using Steps = std::array<Step, 3>;

class Nest {
 public:
  Nest(const Problem& problem, const Lanes& lanes);

  Node root() const;
  /// All that an operand may do next: stay, and every transfer outward, single or double. Bits are not
  /// checked.
  std::vector<Step> steps(const Node& node, Operand operand) const;
  Node after(const Node& node, std::size_t dim, const Lanes::Way& way, const Steps& steps) const;
  /// The same for a loop that somebody names; nothing if there is none such.
  std::optional<Node> after(const Node& node, const LoggedNest& named) const;
  /// Whether the blocks so far fit; exact once all loops are placed.
  bool fits(const Node& node) const;
  /// Leaves only those of `departed` that can still make a difference.
  void forget_idle_bits(Node& node) const;
  /// Of a node with all loops placed.
  Cost cost(const Node& node) const;
  bool may_transfer(const Node& node, Operand operand) const;

  // Pieces that bounds need, too. `content`: products of the loops inside.
  const Memory& memory(Operand operand, std::size_t position) const {
    return problem.machine.memories[memory_at(operand, position)];
  }
  Int bits_of(Operand operand, const Extents& content, std::size_t position, bool complete) const;
  Int cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const;
  /// Energy of `count` transfers of the tile, of which `back` bring partial sums along; or, where sizes
  /// count, the gain, below zero, of the block left behind, which O entered with all sums complete or not.
  Wide price(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count, Int back,
             bool complete, bool entered_complete) const;
  Extents content_of(const Node& node) const;

  const Problem problem;
  const Lanes& lanes;
  Wide most_gain = 0;  ///< where sizes count, of full memories

 private:
  std::size_t memory_at(Operand operand, std::size_t position) const {
    return problem.machine.chains[operand][position];
  }
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

struct MappingCost : Cost {
  std::string fault;  ///< why it is no mapping
};
MappingCost cost_of(const Problem& problem, const Mapping& mapping);

}  // namespace nestor::check
