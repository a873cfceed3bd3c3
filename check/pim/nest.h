// Loop nests below one spatial choice, built from the outermost loop inward. A PimNode is a partial nest;
// CheckedPimNest determines its possible continuations and their cost (docs/models/pim.md). The cost of a
// transfer depends only on the loops outside it, so it is known when an operand moves inward.
#pragma once

#include <functional>

#include "check/pim/rows.h"

namespace nestor::check::pim {

/// References to the parts of the problem.
struct CheckedPimProblem {
  const Layer& layer;
  const CheckedPimMachine& machine;
  const Claim& claim;
};

/// Numbers from 0 on for the remaining bounds of dimensions. Larger bounds have larger numbers.
struct LeftNumbers {
  std::array<std::vector<Int>, dim_count> divisors;  ///< possible bounds, ascending; {1} if not distinguished
  std::size_t count() const;
  std::size_t of(const Extents& left) const;
  Extents left(std::size_t number) const;
};

struct PimLanes : SpatialLanes {
  PimLanes(const Layer& layer, const CheckedPimMachine& machine, const Spatial& spatial);

  LeftNumbers numbers;  ///< of the divisors of `temporal`
};

/// A partial nest. The placed loops are all outside the remaining loops.
struct PimNode {
  struct Loop {
    std::uint8_t dim = 0;
    Int factor = 1;
  };
  bool started = false;     ///< true if the moves before any loop are done
  Extents left{};           ///< remaining bound of each dimension, inside
  Int rest = 0;             ///< product of `left`, or 1 if nothing remains to be placed or moved
  std::uint8_t sealed = 0;  ///< even blocks: memories up to this index can no longer be entered; 0: no limit
  std::array<std::uint8_t, 3> at{};       ///< per operand: position of its current block in its chain
  Int latency = 0;                        ///< latency of compute and of all known ports
  Wide energy = 0;                        ///< energy without leakage
  Int pending = 0;                        ///< additional bits of O's block once it contains a reduction
  std::array<Int, most_memories> bits{};  ///< bits of blocks, per memory
  std::array<Int, most_memories> busy{};  ///< cycles of shared ports
  std::vector<Loop> outside;              ///< placed loops, outermost first, while an operand is in DRAM
  std::array<Int, 3> opened{};            ///< minimum rows opened by an operand in DRAM
};

/// Iterations of the outer loops: `seen` over those relevant to an operand, `repeats` over all others.
struct Outside {
  Int seen = 1;
  Int repeats = 1;
};
struct PimTransfer {
  Int in = 0;  ///< bits that leave the outer memory, or serve steps
  Int out = 0;
  Int cycles = 0;
  Wide energy = 0;
  Wide given = 0;  ///< the part of the energy that the outer memory takes
};

class CheckedPimNest {
 public:
  CheckedPimNest(const CheckedPimProblem& problem, const PimLanes& lanes);

  PimNode root() const;
  /// Returns the node after placing the loop of a proof and before its moves. The first nest of a proof has
  /// no loop. Returns nothing if the loop or its moves are not possible.
  std::optional<PimNode> placed(const PimNode& node, const LoggedNest& named) const;
  /// Returns the rows opened by an operand that leaves DRAM below the loops of a node. If they are at most
  /// `enough`, the exact number does not matter.
  using Rows = std::function<Int(Operand, const PimNode&, Int enough)>;
  /// Returns the node after the moves of the loop, or nothing if `placed` is nothing or the blocks are not
  /// even.
  std::optional<PimNode> moved(const std::optional<PimNode>& placed, const LoggedNest& named,
                               const Rows& rows) const;
  /// True if the blocks so far fit. The answer is exact once everything is placed.
  bool fits(const PimNode& node) const;
  /// Clears the bits, cycles and loops that no longer matter.
  void forget_idle(PimNode& node) const;

  // Functions that the bounds also use.
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
  /// Returns the cost of a transfer without activations.
  PimTransfer transfer(Operand x, const Extents& left, std::size_t from, std::size_t to,
                       const Outside& outside) const;
  /// Returns the cost of serving all steps from the innermost memory.
  PimTransfer served(Operand x) const;
  bool leaves_dram(const PimNode& node, Operand x) const { return node.at[x] == 0 && counts_rows(x); }
  /// Returns the energy of opening rows for an operand, in all instances of DRAM.
  Wide opening(Operand x, Int rows) const {
    return times<Wide>(rows, lanes.memories[memory_at(x, 0)].above, port(x, 0).activation_energy);
  }
  /// True if an operand is stored in DRAM rows and opening them has a cost.
  bool counts_rows(Operand x) const;
  Extents extents(const Extents& left, std::size_t memory) const;
  /// Returns a walk over an operand's tile in DRAM, without loops.
  Walk still(Operand x, const Extents& left, bool sums) const;
  Walk walk(const PimNode& node, Operand x) const;
  /// Returns (7.1): the minimum number of rows that an operand in DRAM opens, given the outer loops.
  Int rows_at_least(const PimNode& node, Operand x) const;

  const CheckedPimProblem problem;
  const PimLanes& lanes;

 private:
  void take(PimNode& node, std::size_t memory, Int cycles) const;

  std::array<bool, most_memories> is_ample_{};  ///< true if a memory has space for all whole operands at
                                                ///< their greatest width
};

/// Returns the distinct prime factors.
std::vector<Int> primes_of(Int number);

/// Calls visit(dim, count) for the loops that an operand distinguishes, outermost first. Adjacent loops of
/// the same dimension are joined. Adjacent loops that are irrelevant to the operand are also joined and are
/// reported with dimension `dim_count`.
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
