// Rules for nests below one spatial choice: the possible next nests, and the conditions under which a nest is
// closed by the claim or dominated by another nest.
#pragma once

#include <memory>

#include "check/pim/nest.h"

namespace nestor::check::pim {

/// Lower bounds on the remaining cost of each operand alone, below one spatial choice, for every remaining
/// content and every memory of its chain, and for a given number of outer repeats. They are computed by a
/// small dynamic program from the empty content upward.
///
/// These are lower bounds because the cost of a transfer depends on the content inside it, on the memories
/// and on the iterations outside. Here, an operand chooses its transfers independently. Loops that are
/// irrelevant to it and not yet outside are assumed to be inside (fewer iterations outside), and other
/// operands to take no space. Every continuation of a nest is also a choice here, at no more than its cost. A
/// transfer out of DRAM opens at least the rows of (5.1), and an operand that stays there at least those of
/// (5.2).
class PimOperandBounds {
 public:
  struct Rest {
    bool possible = false;
    Wide energy = 0;       ///< energy of everything that follows, without activations
    Wide energy_rows = 0;  ///< the same with activations
    Int busiest = 0;       ///< cycles of the busiest port that is still to be left
    Int leaving = 0;       ///< cycles of the port that is left next, without activations
    Int leaving_rows = 0;  ///< the same with activations
    void take_least(const Rest& other);
  };
  struct Floors {
    Int pass = 0;  ///< rows opened in a pass through a content
    Int sweep = 0;
  };

  PimOperandBounds(const CheckedPimNest& nest, Operand operand, Int repeats);
  const Rest& rest(const PimNode& node) const {
    return node.started ? rests_[index(node.left) * chain_ + node.at[operand_]] : start_;
  }
  const Floors& floors(const Extents& left) const { return floors_[index(left)]; }

 private:
  std::size_t index(const Extents& left) const;

  Operand operand_;
  std::size_t chain_;
  std::array<std::vector<Int>, dim_count> divisors_;  ///< divisors for the operand's dimensions
  std::vector<Rest> rests_;
  std::vector<Floors> floors_;
  Rest start_;  ///< state before the first moves
};

/// Data shared by all choices of a layer: counted rows, and bounds of choices that are equal for an operand.
struct Shared {
  FewestRows fewest;
  tbb::concurrent_hash_map<std::string, std::shared_ptr<const PimOperandBounds>> bounds;
};

class PimRules : public CheckedPimNest {
 public:
  using Lanes = PimLanes;
  using Shared = pim::Shared;

  /// Stores references to the lanes and the shared data.
  PimRules(const CheckedPimProblem& problem, const PimLanes& lanes, Shared& shared);

  /// True if the cost of the steps alone does not let the claim close the choice. Otherwise, no other
  /// function may be called.
  bool is_possible() const { return !problem.claim.closes(cost(root())); }
  /// Returns the node after a loop of a proof, or nothing if there is no such loop.
  std::optional<PimNode> after(const PimNode& node, const LoggedNest& named) const {
    return next(node, named, true);
  }
  /// True if no mapping below fits, or none is better than the claim.
  bool ends(const PimNode& node) const;
  /// Returns lower bounds on the latency and energy of all mappings that continue a node that fits, or the
  /// cost of a complete one.
  Cost least(const PimNode& node) const;

  /// Returns true if everything that completes b also completes a, at no more cost. Both have equal keys. The
  /// remaining loops and the operands' memories are equal, so every further transfer has the same content and
  /// outer iterations, and takes the same cycles and energy. It opens the same rows, because an operand in
  /// DRAM has the same outer loops. Node a fits, because no memory that can still be filled holds more. It is
  /// even, because no more memories are sealed. Latency is a maximum of known values and of sums over ports
  /// that are at most as large in a.
  bool dominates(const PimNode& a, const PimNode& b) const;
  /// Returns a key that is equal for nests with the same continuations.
  std::string key(const PimNode& node) const;

  /// Calls visit(child, loop) for every possible next nest that does not end at once.
  void each_child(const PimNode& node, const auto& visit) const {
    const auto offer = [&](LoggedNest loop) {
      each_moves(node, loop, 0, [&] {
        const auto first = next(node, loop, false);
        if (first && !ends(*first)) visit(*next(node, loop, true), loop);
      });
    };
    if (!node.started) return offer({});
    for (std::size_t d = 0; d < dim_count; ++d)
      for (const Int prime : primes_of(node.left[d]))
        offer({.dim = static_cast<std::uint8_t>(d), .factor = prime});
  }

 private:
  void each_moves(const PimNode& node, LoggedNest& loop, std::size_t x, const auto& visit) const {
    if (x == operands.size()) return visit();
    each_moves(node, loop, x + 1, visit);
    if (node.started && !is_relevant(loop.dim, operands[x])) return;
    for (std::size_t to = node.at[x] + std::size_t{1}; to <= innermost(operands[x]); ++to) {
      if (!problem.machine.may_pass(operands[x], node.at[x], to)) continue;
      loop.moves[x] = {true, false, static_cast<std::uint8_t>(to)};
      each_moves(node, loop, x + 1, visit);
    }
    loop.moves[x] = {};
  }
  /// Rows are counted if `counted`; otherwise, a lower bound is used.
  std::optional<PimNode> next(const PimNode& node, const LoggedNest& named, bool counted) const;
  const PimOperandBounds& bounds(Operand x, Int repeats) const;
  static Cost cost(const PimNode& node) { return {node.latency, node.energy}; }

  Shared& shared_;
  mutable std::array<std::map<Int, std::shared_ptr<const PimOperandBounds>>, 3> bounds_;  ///< by repeats
};

}  // namespace nestor::check::pim
