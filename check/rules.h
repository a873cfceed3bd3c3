// The rules by which nests below one spatial choice follow from one another or need no following: which nests
// come next, when the claim closes one, and when another makes one superfluous.
#pragma once

#include <tbb/concurrent_hash_map.h>

#include <memory>

#include "check/nest.h"

namespace nestor::check {

/// What each operand alone must still pay, below one spatial choice, for every content in every memory of its
/// chain: a small dynamic program from the full content downward.
///
/// Why it is a bound: the cost of a transfer depends on the content inside it, on the memories and on the
/// iterations outside. Here an operand chooses its transfers for itself, as if loops that it does not see lay
/// inside (fewer iterations outside), sums were complete (narrower, nothing coming back), and other operands
/// took no room; where sizes count, blocks of sums are at their widest. Every way on of a nest is a choice
/// here too, at no more than its cost.
class OperandBounds {
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

  OperandBounds(const Nest& nest, Operand operand);
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
class BoundsCache {
 public:
  std::shared_ptr<const OperandBounds> get(const Nest& nest, Operand operand);

 private:
  tbb::concurrent_hash_map<std::string, std::shared_ptr<const OperandBounds>> made_;
};

class Rules {
 public:
  /// Keeps the lanes by reference.
  Rules(const Problem& problem, const Lanes& lanes, BoundsCache& cache);

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
  /// The same for nests with the same ways on.
  Int key(const Node& node) const;

  /// Calls visit(child, loop) for every nest that may come next.
  template <typename Visit>
  void each_child(const Node& node, Visit visit) const {
    std::array<std::vector<Step>, 3> all;
    for (const Operand x : operands) all[x] = nest.steps(node, x);
    for (std::size_t d = 0; d < dim_count; ++d) {
      const auto offered = [&](Operand x) { return is_relevant(d, x) ? all[x].size() : 1; };
      for (std::size_t i = 0; i < offered(I); ++i)
        for (std::size_t w = 0; w < offered(W); ++w)
          for (std::size_t o = 0; o < offered(O); ++o) {
            const Steps steps = {all[I][i], all[W][w], all[O][o]};
            const std::array moves = {steps[I].move, steps[W].move, steps[O].move};
            for (const auto& way : nest.lanes.ways[d][node.placed[d]])
              if (way.is_prime || is_worth_a_loop(node, way, steps))
                visit(nest.after(node, d, way, steps), {0, static_cast<std::uint8_t>(d), way.factor, moves});
          }
    }
  }

  const Nest nest;

 private:
  bool is_worth_a_loop(const Node& node, const Lanes::Way& way, const Steps& steps) const;

  const Objective& objective_;
  std::array<std::shared_ptr<const OperandBounds>, 3> bounds_;
};

}  // namespace nestor::check
