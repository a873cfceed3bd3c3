// The rules by which nests below one spatial choice follow from one another or need no following: which nests
// come next, when the claim closes one, and when another makes one superfluous. The proof that the checker
// finds by itself (prove.h) and the replay of a proof file (replay.h) stand on them alone.
#pragma once

#include "check/bounds.h"

namespace nestor::check {

class Rules {
 public:
  /// All but the cache is kept by reference.
  Rules(const Layer& layer, const Machine& machine, const Claim& claim, const Lanes& lanes,
        BoundsCache& cache);

  const Nest& nest() const { return nest_; }
  /// Whether the innermost tiles fit; if not, there is no mapping here, and nothing else may be asked.
  bool is_possible() const { return bounds_[0] != nullptr; }

  enum class Verdict { open, by_bound, by_room };
  /// Whether anything below can be better than the claim, and fit.
  Verdict judge(const Node& node) const;
  /// Least latency and energy of all mappings that go on from a node that judge() does not find too large.
  struct Least {
    Int latency = 0;
    Wide energy = 0;
  };
  Least least(const Node& node) const;
  /// The same of a nest with all loops placed: what it costs.
  Least cost(const Node& complete) const {
    return {claim_.follows_latency() ? nest_.latency_of(complete) : 0, nest_.energy_of(complete)};
  }

  /// Of equal keys. If M and P of a exceed those of b by at most D >= 0, then so does L in the next loop, M
  /// and P by D N after it (row by row of Table III; a double-buffered input with N = 2 has P = 2 T), and the
  /// steady part grows by at most D (rest - 1) more in all.
  bool dominates(const Node& a, const Node& b) const;
  /// The same for nests with the same ways on.
  Int key(const Node& node) const;

  /// Calls visit(child, dim, steps) for every nest that may come next.
  template <typename Visit>
  void each_child(const Node& node, Visit visit) const {
    std::array<std::vector<Step>, 3> all;
    for (const Operand x : operands) all[x] = nest_.steps(node, x);
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (nest_.remaining(node, d) == 1) continue;
      const auto offered = [&](Operand x) { return is_relevant(d, x) ? all[x].size() : 1; };
      for (std::size_t i = 0; i < offered(I); ++i)
        for (std::size_t w = 0; w < offered(W); ++w)
          for (std::size_t o = 0; o < offered(O); ++o) {
            const Steps steps = {all[I][i], all[W][w], all[O][o]};
            for (const std::size_t placed : lengths(node, d, steps))
              visit(nest_.after(node, d, placed, steps), d, steps);
          }
    }
  }

 private:
  enum Kind : std::size_t { primes, primes_and_four, all_lengths };
  /// How long the next loop may be, as places in the list of divisors.
  const std::vector<std::size_t>& lengths(const Node& node, std::size_t dim, const Steps& steps) const;

  const Claim& claim_;
  const Machine& machine_;
  const Lanes& lanes_;
  Nest nest_;
  std::array<std::shared_ptr<const OperandBounds>, 3> bounds_;
  std::array<std::array<std::vector<std::vector<std::size_t>>, dim_count>, 3> lengths_;  ///< by Kind
};

}  // namespace nestor::check
