// What each operand alone must still pay, below one spatial choice, for every content in every memory of its
// chain: a small dynamic program from the full content downward.
//
// Why it is a bound: the cost of a transfer depends on the content inside it, on the memories and on the
// iterations outside. Here an operand chooses its transfers for itself, as if loops that it does not see lay
// inside (fewer iterations outside), sums were complete (narrower, nothing coming back), and other operands
// took no room. Every way on of a nest is a choice here too, at no more than its cost.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "check/nest.h"

namespace nestor::check {

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

  OperandBounds(const Nest& nest, Operand operand, const Claim& claim);
  const Rest& rest(const Node& node) const { return rests_[index_of(node) * chain_ + node.at[operand_]]; }

 private:
  std::size_t index_of(const Node& node) const {
    std::size_t index = 0;
    for (std::size_t d = 0; d < dim_count; ++d) index += node.placed[d] * strides_[d];
    return index;
  }

  Operand operand_;
  std::size_t chain_;
  std::array<std::size_t, dim_count> strides_{};  ///< 0 where the operand does not see the dimension
  std::vector<Rest> rests_;
};

/// Bounds of choices that look the same to an operand are made once.
class BoundsCache {
 public:
  std::shared_ptr<const OperandBounds> get(const Nest& nest, Operand operand, const Machine& machine,
                                           const Claim& claim);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const OperandBounds>> made_;
};

/// Indices of the divisors that are `divisors[i]` times a prime.
std::vector<std::size_t> one_prime_up(const std::vector<Int>& divisors, std::size_t i);

}  // namespace nestor::check
