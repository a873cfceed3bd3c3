// Rules for nests of the pim space below one spatial choice. They determine the possible next nests, and when
// the claim closes a nest or another nest dominates it.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "check/pim/joint.h"

namespace nestor::check::pim {

/// Lower bounds on the remaining cost of one operand, below one spatial choice. There is a bound for every
/// remaining content and every memory of the operand's chain, given the number of outer repeats. The bounds
/// are computed by a small dynamic program from the empty content upward.
///
/// These are lower bounds because the cost of a transfer depends only on the content inside it, on the
/// memories and on the iterations outside. Here, an operand chooses its transfers independently. Loops that
/// are irrelevant to it and not yet outside are assumed to be inside (fewer iterations outside), and other
/// operands to take no space. Every continuation of a nest corresponds to a choice here that costs no more. A
/// transfer out of DRAM opens at least the rows of (5.1), and an operand that stays there opens at least the
/// rows of (5.2).
class PimOperandBounds {
 public:
  struct Rest {
    bool possible = false;
    Wide energy = 0;       ///< remaining energy, without activations
    Wide energy_rows = 0;  ///< remaining energy, with activations
    Int busiest = 0;       ///< cycles of the busiest port that the operand must still leave
    Int leaving = 0;       ///< cycles of the next port that it leaves, without activations
    Int leaving_rows = 0;  ///< cycles of that port, with activations
    void take_least(const Rest& other);
  };
  using Floors = PimJointBounds::Floors;

  PimOperandBounds(const CheckedPimNest& nest, Operand operand, Int repeats);
  const Rest& rest(const PimNode& node) const {
    return node.started ? rests_[index(node.left) * chain_ + node.at[operand_]] : start_;
  }
  const Floors& floors(const Extents& left) const { return floors_[index(left)]; }
  std::size_t size() const { return rests_.size(); }

 private:
  std::size_t index(const Extents& left) const { return numbers_.of(left); }

  Operand operand_;
  std::size_t chain_;
  LeftNumbers numbers_;  ///< for the operand's dimensions
  std::vector<Rest> rests_;
  std::vector<Floors> floors_;
  Rest start_;  ///< remaining cost before the first moves
};

/// Data shared by all choices of a layer: row counts, and bounds, which spatial choices share if they give an
/// operand the same factors. Once there are many bounds, all are dropped.
struct Shared {
  FewestRows fewest;
  std::mutex access;  ///< to the bounds
  std::unordered_map<std::string, std::shared_ptr<const PimOperandBounds>> bounds;
  std::size_t size = 0;  ///< of the bounds
};

class PimRules : public CheckedPimNest {
 public:
  using Lanes = PimLanes;
  using Shared = pim::Shared;

  /// Stores references to the lanes and the shared data.
  PimRules(const CheckedPimProblem& problem, const PimLanes& lanes, Shared& shared);

  /// Adds the bounds of all operands together, which close more nests. Returns false if there are none.
  bool add_bounds();
  /// True if the claim does not close the root of the choice. Otherwise, no other function may be called.
  bool is_possible() const { return !problem.claim.closes(cost(root())); }
  /// Returns the node after a loop of a proof, or nothing if there is no such loop.
  std::optional<PimNode> after(const PimNode& node, const LoggedNest& named) const {
    return next(node, named, true);
  }
  /// True if no mapping below the node fits, or none is better than the claim.
  bool ends(const PimNode& node) const;
  /// Returns lower bounds on the latency and energy of all completions of a node that fits, or the cost of a
  /// complete node.
  Cost least(const PimNode& node) const;

  /// Returns true only if every completion of `b` also completes `a`, at no higher cost. Both nodes must have
  /// equal keys. The remaining loops and the operands' memories are equal, so every further transfer has the
  /// same content and outer iterations, and takes the same cycles and energy. It opens the same rows, because
  /// an operand in DRAM has the same outer loops. The completion of `a` fits, because no memory that can
  /// still be filled contains more bits than in `b`. Its blocks are even, because `a` has no more sealed
  /// memories than `b`. Latency is a maximum of known values and of sums over ports, none of which is larger
  /// in `a`.
  bool dominates(const PimNode& a, const PimNode& b) const;
  /// Returns a key that is equal for nests with the same continuations.
  std::string key(const PimNode& node) const;

  /// Calls visit(child, loop) for every possible next nest that is not already closed with a lower bound on
  /// its rows.
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
  /// If `counted` is true, rows are counted exactly; otherwise, a lower bound is used.
  std::optional<PimNode> next(const PimNode& node, const LoggedNest& named, bool counted) const;
  const PimOperandBounds& bounds(Operand x, Int repeats) const;
  /// Returns the least energy, added to that of the root, with which the claim closes every completion. If
  /// there is none below PimJointBounds::most, returns that.
  Int enough() const;
  /// Returns the known cost plus the remaining cost of each operand alone.
  Cost least_alone(const PimNode& node) const;
  /// Returns the minimum number of rows that an operand must still open.
  Int opened(const PimNode& node, Operand x) const {
    return leaves_dram(node, x) ? std::max(node.opened[x], rows_at_least(node, x)) : 0;
  }
  static Cost cost(const PimNode& node) { return {node.latency, node.energy}; }

  Shared& shared_;
  /// Bounds of each operand, by the number of outer repeats.
  mutable std::array<std::map<Int, std::shared_ptr<const PimOperandBounds>>, 3> bounds_;
  std::unique_ptr<const PimJointBounds> joint_;  ///< if they were added
};

}  // namespace nestor::check::pim
