// The loops below one spatial choice, placed from the innermost outward as the model's own recursion runs:
// what a partial nest (a Node) is, which loops and transfers may come next, and what they cost
// (docs/models/cim.md, sections on sizes, transfers, latency and energy).
#pragma once

#include <vector>

#include "check/claim.h"

namespace nestor::check {

inline constexpr Int unlimited = Int{1} << 62;

/// Ascending.
std::vector<Int> divisors_of(Int number);

/// Numbers of a spatial choice that do not change below it.
struct Lanes {
  Lanes(const Layer& layer, const Machine& machine, const Spatial& spatial);

  Extents temporal{};                                ///< what the axes leave of the bounds
  std::vector<Extents> below;                        ///< per memory: mapped factors of the axes below it
  std::vector<Int> above;                            ///< per memory: lanes of the axes above it
  std::vector<bool> reduced_above;                   ///< per memory: whether one of those reduces
  Int steps = 1;                                     ///< product of `temporal`
  Wide energy = 0;                                   ///< of compute and of the innermost memories
  std::array<std::vector<Int>, dim_count> divisors;  ///< of `temporal`, ascending
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
  Wide energy = 0;                            ///< without leakage
  std::array<Int, most_memories> departed{};  ///< per memory: bits of blocks that are complete
};

/// What an operand does in the slot of a loop.
struct Step {
  std::uint8_t to = 0;
  bool moves = false;
  bool doubled = false;
  Int cycles = 0;    ///< T
  Int returned = 0;  ///< stall: T' of O
  Int contender = 0;
  Wide energy = 0;
  Int bits = 0;  ///< left behind, once
};
using Steps = std::array<Step, 3>;

/// Of an operand's steps the one that stays, or that moves to this memory through one buffer or two; null if
/// there is none.
const Step* find_step(const std::vector<Step>& steps, bool moves, std::size_t to, bool doubled);

class Nest {
 public:
  Nest(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes);

  Node root() const;
  /// All that an operand may do next: stay, and every transfer outward, single or double. Bits are not
  /// checked.
  std::vector<Step> steps(const Node& node, Operand operand) const;
  Node after(const Node& node, std::size_t dim, std::size_t placed, const Steps& steps) const;
  /// Whether the blocks so far fit; exact once all loops are placed.
  bool fits(const Node& node) const;
  /// Leaves only those of `departed` that can still make a difference.
  void forget_idle_bits(Node& node) const;
  /// Latency and energy of a node with all loops placed.
  Int latency_of(const Node& node) const;
  Wide energy_of(const Node& node) const;

  Int remaining(const Node& node, std::size_t dim) const {
    return lanes_.temporal[dim] / lanes_.divisors[dim][node.placed[dim]];
  }
  bool may_transfer(const Node& node, Operand operand) const;
  const Lanes& lanes() const { return lanes_; }

  // Pieces that bounds need, too. `content`: products of the loops inside.
  Int elements(Operand operand, const Extents& content, std::size_t memory) const;
  Int capacity(std::size_t memory) const { return machine_.memories[memory].capacity.value_or(unlimited); }
  Int width_stored(Operand operand, std::size_t position, bool entered_complete) const;
  Int cycles(Operand operand, const Extents& content, std::size_t to, bool complete) const;
  /// `count` transfers of the tile, of which `back` bring partial sums along.
  Wide transfer_energy(Operand operand, const Extents& content, std::size_t from, std::size_t to, Int count,
                       Int back, bool complete) const;
  std::size_t memory_at(Operand operand, std::size_t position) const {
    return machine_.chains[operand][position];
  }
  Extents content_of(const Node& node) const;

 private:
  Int bits_of(const Node& node, Operand operand, const Extents& content) const;
  void recur(Node& node, Int n, const Steps& steps) const;

  const Layer& layer_;
  const Machine& machine_;
  const Claim& claim_;
  const Lanes& lanes_;
  std::array<bool, most_memories> is_ample_{};  ///< never full
};

}  // namespace nestor::check
