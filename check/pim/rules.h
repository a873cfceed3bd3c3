// The rules by which nests below one spatial choice follow from one another or need no following: which nests
// come next, when the claim closes one, and when another makes one superfluous.
#pragma once

#include <memory>

#include "check/pim/nest.h"

namespace nestor::check::pim {

/// What each operand alone must still pay, below one spatial choice, for every content that is left inside
/// and every memory of its chain, with so many repeats outside: a small dynamic program from the empty
/// content upward.
///
/// Why it is a bound: the cost of a transfer depends on the content inside it, on the memories and on the
/// iterations outside. Here an operand chooses its transfers for itself, as if loops that it does not see and
/// that are not outside lay inside (fewer iterations outside), and other operands took no room. Every way on
/// of a nest is a choice here too, at no more than its cost. A transfer out of DRAM opens no fewer rows than
/// (5.1) says, and an operand that stays there no fewer than (5.2).
class PimOperandBounds {
 public:
  struct Rest {
    bool possible = false;
    Wide energy = 0;       ///< all that follows, activations apart
    Wide energy_rows = 0;  ///< with them
    Int busiest = 0;       ///< cycles of the busiest port still to be left
    Int leaving = 0;       ///< of the port that is left next, activations apart
    Int leaving_rows = 0;  ///< with them
    void take_least(const Rest& other);
  };
  struct Floors {
    Int pass = 0;  ///< rows that are opened in a pass through a content, however it is reached
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
  std::array<std::vector<Int>, dim_count> divisors_;  ///< of what the operand sees
  std::vector<Rest> rests_;
  std::vector<Floors> floors_;
  Rest start_;  ///< before the first moves
};

/// What is made once for a layer: rows that were counted, and bounds of choices that look the same to an
/// operand.
struct Shared {
  FewestRows fewest;
  tbb::concurrent_hash_map<std::string, std::shared_ptr<const PimOperandBounds>> bounds;
};

class PimRules : public CheckedPimNest {
 public:
  using Lanes = PimLanes;
  using Shared = pim::Shared;

  /// Keeps lanes and shared things by reference.
  PimRules(const CheckedPimProblem& problem, const PimLanes& lanes, Shared& shared);

  /// Whether the steps alone do not meet the claim; if not, nothing else may be asked.
  bool is_possible() const { return !problem.claim.closes(cost(root())); }
  /// With the loop that somebody names; nothing if there is none such.
  std::optional<PimNode> after(const PimNode& node, const LoggedNest& named) const {
    return next(node, named, true);
  }
  /// Whether all below does not fit, or is no better than the claim.
  bool ends(const PimNode& node) const;
  /// Least latency and energy of all mappings that go on from a node that fits; of a whole one, what it
  /// costs.
  Cost least(const PimNode& node) const;

  /// Of equal keys: everything that completes b completes a. What is left to place is the same, the operands
  /// are in the same memories, so every transfer to come has the same content and the same iterations outside
  /// and takes the same cycles, energy and, with the same loops outside as an operand in DRAM sees them, the
  /// same rows. It fits (no memory that can still be filled holds more), and is even (no more is sealed).
  /// Latency is a maximum of what is known and of sums over ports that are no longer in a.
  bool dominates(const PimNode& a, const PimNode& b) const;
  /// The same for nests with the same ways on.
  std::string key(const PimNode& node) const;

  /// Calls visit(child, loop) for every nest that may come next and does not end at once.
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
  /// Rows are counted, or there are no fewer.
  std::optional<PimNode> next(const PimNode& node, const LoggedNest& named, bool counted) const;
  const PimOperandBounds& bounds(Operand x, Int repeats) const;
  static Cost cost(const PimNode& node) { return {node.latency, node.energy}; }

  Shared& shared_;
  mutable std::array<std::map<Int, std::shared_ptr<const PimOperandBounds>>, 3> bounds_;  ///< by repeats
};

}  // namespace nestor::check::pim
