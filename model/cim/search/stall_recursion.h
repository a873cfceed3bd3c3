// Recursion of the `stall` latency model (docs/models/cim.md, section 6b) for the searches: the steady part
// of the loops placed so far, one transfer of every slot for the arrival of the first tiles of I and W, and M
// and P by eqs. (6.3) and (6.4).
#pragma once

#include "model/cim/search/recursion.h"

namespace nestor::cim {

struct StallRecursion {
  struct State : Overlap {
    Int steady = 0;              ///< sum of (N-1) * L, plus T_O of every slot
    std::array<Int, 2> first{};  ///< sums of T_I and T_W over the slots
  };
  static constexpr bool follows_latency = true;
  static constexpr bool refines_children = false;  // bound_of_child() equals bound() of the child
  static constexpr bool offers_every_product = false;
  static constexpr bool offers_pairs_of_two = true;

  static void start(State& state, Int mvm) { state.begin(mvm); }

  /// Equation (6b.1): T' of O includes the share of transfers that return partial sums.
  static void time(const State& state, std::size_t x, Int returns, Int rest, Move& move) {
    const bool comes_back = x == Overlap::output && returns > 0;
    move.moved = move.cycles + (comes_back ? ceil_divide(move.cycles * returns, rest) : 0);
    state.contend(x, move);
  }
  static Int period(const State& state, const OfferPerOperand& offers) { return state.period(offers); }

  static void advance(State& state, Int n, const MovePerOperand& moves, Int period) {
    for (const std::size_t x : {Overlap::input, Overlap::weight}) {
      state.busy[x] = busy_input(*moves[x], state.busy[x], period, n);
      if (moves[x]->jump) state.first[x] += moves[x]->cycles;
    }
    const Move& written = *moves[Overlap::output];  // eq. (6b.2)
    Int& p = state.busy[Overlap::output];
    if (!written.jump) {
      p = period * (n - 1) + p;
    } else {
      p = period * (n - 1) + (written.doubled ? std::max(written.cycles, p) : written.moved + p);
      state.steady += written.cycles;
    }
    state.critical = period * n;
    state.steady += (n - 1) * period;
  }

  /// The P of an operand that makes no further jump is no longer used.
  static void to_normal_form(State& state, const std::array<bool, operand_count>& ended) {
    state.raise_critical();
    for (std::size_t x = 0; x < operand_count; ++x)
      if (ended[x]) state.busy[x] = 0;
  }

  /// A loop of n iterations with period L adds (n-1) * L to the steady part and makes M = L * n, so this loop
  /// and the remaining loops take at least L * (rest - 1).
  static Int bound_of_child(const State& state, Int rest, const OfferPerOperand& offers, Int period, Int n,
                            Int mvm) {
    std::array<Int, operand_count> first{state.first[0], state.first[1], 0};
    RemainingTransfers outlook;
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (offers[x]->move->jump) first[x] += offers[x]->move->cycles;
      outlook.transfers[x] = offers[x]->transfers;
      outlook.stream[x] = offers[x]->stream;
    }
    return latency_of(state.steady + period * (n - 1), period * (rest - n), first, outlook, mvm);
  }
  static Int bound(const State& state, Int rest, const RemainingTransfers& outlook,
                   const std::array<bool, operand_count>& /*ended*/, Int mvm) {
    return latency_of(state.steady, state.critical * (rest - 1), {state.first[0], state.first[1], 0}, outlook,
                      mvm);
  }

  /// Equation (6b.3).
  static Int complete(const State& state, const std::array<Int, operand_count>& edge, Int mvm) {
    return state.steady +
           std::max(state.first[0] + edge[Overlap::input], state.first[1] + edge[Overlap::weight]) +
           edge[Overlap::output] + mvm;
  }

  /// If M and P of `a` exceed those of `b` by at most D, every later L of `a` exceeds that of `b` by at most
  /// D times the iterations in between. By induction over the rows of eq. (6.3), the steady part of `a` grows
  /// by at most (rest - 1) * D more than that of `b`.
  static std::optional<Int> excess(const State& a, const State& b, Int rest, bool /*trades*/) {
    const Int first = std::max(a.first[0] - b.first[0], a.first[1] - b.first[1]);
    return a.steady + first + a.ahead_of(b) * (rest - 1) - b.steady;
  }

  static Int preference(const State& state, Int rest) { return state.steady + state.critical * (rest - 1); }
  static bool pays_in_one_loop(const State&, const OfferPerOperand&, Int) { return false; }

 private:
  // The remaining loops add at least M * (rest - 1), which is `iterations`, to the steady part. The first
  // tiles of I or W and the last tile of O are added. The stream of an operand includes its own transfers;
  // those of the other operands are added.
  static Int latency_of(Int steady, Int iterations, const std::array<Int, operand_count>& so_far,
                        const RemainingTransfers& outlook, Int mvm) {
    constexpr auto i = Overlap::input;
    constexpr auto w = Overlap::weight;
    constexpr auto o = Overlap::output;
    const Int first = std::max(so_far[i] + outlook.transfers[i], so_far[w] + outlook.transfers[w]);
    const Int last = outlook.transfers[o];
    const Int longest = std::max({iterations + first + last, so_far[i] + outlook.stream[i] + last,
                                  so_far[w] + outlook.stream[w] + last, first + outlook.stream[o]});
    return steady + so_far[o] + longest + mvm;
  }
};

static_assert(LatencyRecursion<StallRecursion>);

}  // namespace nestor::cim
