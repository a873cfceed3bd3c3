// The loops below one spatial choice, placed from the outermost inward: what a partial nest (a PimNode) is,
// what may come next, and what it costs (docs/models/pim.md). What a transfer costs depends on what lies
// outside it alone, so all of it is known once an operand moves inward.
#pragma once

#include <functional>

#include "check/pim/rows.h"

namespace nestor::check::pim {

/// What is asked. By reference.
struct CheckedPimProblem {
  const Layer& layer;
  const CheckedPimMachine& machine;
  const Claim& claim;
};

/// Numbers of a spatial choice that do not change below it.
struct PimLanes {
  PimLanes(const Layer& layer, const CheckedPimMachine& machine, const Spatial& spatial);

  struct Around {
    Extents below;               ///< factors of the axes below a memory
    Int above = 1;               ///< lanes of the axes above it
    bool reduced_above = false;  ///< whether one of those reduces
  };
  Extents temporal{};  ///< what the axes leave of the bounds
  std::vector<Around> memories;
  Int steps = 1;                                     ///< product of `temporal`
  std::array<std::vector<Int>, dim_count> divisors;  ///< of `temporal`, ascending
};

/// Placed loops, all outside what is left.
struct PimNode {
  struct Loop {
    std::uint8_t dim = 0;
    Int factor = 1;
  };
  bool started = false;  ///< the moves before any loop are done
  Extents left{};        ///< of each dimension, inside
  Int rest = 0;          ///< product of `left`; 1 if nothing is left to be placed or moved
  std::uint8_t sealed =
      0;  ///< even blocks: memories up to here cannot be entered any more, but for the first
  std::array<std::uint8_t, 3> at{};       ///< position in the chain of the block that is being filled
  Int latency = 0;                        ///< of compute and of all ports that are known
  Wide energy = 0;                        ///< without leakage
  Int pending = 0;                        ///< bits more that O's block takes once a reduction stands in it
  std::array<Int, most_memories> bits{};  ///< per memory, of blocks
  std::array<Int, most_memories> busy{};  ///< cycles of ports that are shared
  std::vector<Loop> outside;              ///< outermost first, while an operand is in DRAM
  std::array<Int, 3> opened{};            ///< rows of an operand in DRAM, at least
};

/// The iterations outside, of loops that an operand sees and of others.
struct Outside {
  Int seen = 1;
  Int repeats = 1;
};
struct PimTransfer {
  Int cycles = 0;
  Wide energy = 0;
};

class CheckedPimNest {
 public:
  CheckedPimNest(const CheckedPimProblem& problem, const PimLanes& lanes);

  PimNode root() const;
  /// With the loop that somebody names, or none before any, but without its moves; nothing if there is none
  /// such.
  std::optional<PimNode> placed(const PimNode& node, const LoggedNest& named) const;
  /// Rows that an operand opens which leaves DRAM below the loops of a node; if they are not above the last
  /// number, it does not matter how many.
  using Rows = std::function<Int(Operand, const PimNode&, Int enough)>;
  /// Then its moves.
  std::optional<PimNode> moved(const std::optional<PimNode>& placed, const LoggedNest& named,
                               const Rows& rows) const;
  /// Whether the blocks so far fit; exact once all is placed.
  bool fits(const PimNode& node) const;
  /// Leaves only those bits and cycles that can still make a difference.
  void forget_idle(PimNode& node) const;

  // Pieces that bounds need, too.
  const Memory& memory(Operand x, std::size_t position) const {
    return problem.machine.memories[memory_at(x, position)];
  }
  const Port& port(Operand x, std::size_t position) const {
    return problem.machine.ports[memory_at(x, position)];
  }
  std::size_t memory_at(Operand x, std::size_t position) const { return problem.machine.chains[x][position]; }
  std::size_t innermost(Operand x) const { return problem.machine.chains[x].size() - 1; }
  Outside outside(const Extents& left, Operand x) const;
  Int elements(Operand x, const Extents& left, std::size_t position) const;
  Int bits_of(Operand x, const Extents& left, std::size_t position, bool with_sums) const;
  /// Activations apart.
  PimTransfer transfer(Operand x, const Extents& left, std::size_t from, std::size_t to,
                       const Outside& outside) const;
  bool leaves_dram(const PimNode& node, Operand x) const { return node.at[x] == 0 && counts_rows(x); }
  /// Whether an operand lies in rows, and opening them costs something.
  bool counts_rows(Operand x) const;
  Extents extents(const Extents& left, std::size_t memory) const;
  /// The tensor, and an operand's tile in DRAM, without loops.
  Walk still(Operand x, const Extents& left, bool sums) const;
  Walk walk(const PimNode& node, Operand x) const;
  /// (7.1): rows that an operand in DRAM opens at least, given the loops outside.
  Int rows_at_least(const PimNode& node, Operand x) const;

  const CheckedPimProblem problem;
  const PimLanes& lanes;

 private:
  void take(PimNode& node, std::size_t memory, Int cycles) const;

  std::array<bool, most_memories> is_ample_{};  ///< holds all operands whole, at their widest
};

/// Its prime factors, each once.
std::vector<Int> primes_of(Int number);

/// Calls visit(dim, count) for loops as an operand sees them, outermost first: adjacent ones of a dimension
/// as one, and adjacent ones that it does not see, as those of a dimension `dim_count`.
template <typename Visit>
void each_seen(const std::vector<PimNode::Loop>& loops, Operand operand, Visit visit) {
  for (std::size_t i = 0; i < loops.size();) {
    const auto seen = [&](std::size_t l) {
      return is_relevant(loops[l].dim, operand) ? loops[l].dim : dim_count;
    };
    const std::size_t dim = seen(i);
    Int count = 1;
    for (; i < loops.size() && seen(i) == dim; ++i) count = times(count, loops[i].factor);
    visit(dim, count);
  }
}

MappingCost cost_of(const CheckedPimProblem& problem, const CheckedPimMapping& mapping);

}  // namespace nestor::check::pim
