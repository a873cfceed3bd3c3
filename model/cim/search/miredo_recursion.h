// Recursion of the `miredo` latency model (docs/models/cim.md, section 6) for the searches: M of eq. (6.4)
// and P of eq. (6.3).
#pragma once

#include "model/cim/search/recursion.h"

namespace nestor::cim {

struct MiredoRecursion {
  struct State : Overlap {};
  static constexpr bool follows_latency = true;
  static constexpr bool refines_children = true;  // P_O may grow by more than a child's bound includes
  static constexpr bool offers_every_product = true;
  static constexpr bool offers_pairs_of_two = true;

  static void start(State& state, Int mvm) { state.begin(mvm); }
  static void time(const State& state, std::size_t x, Int /*returns*/, Int /*rest*/, Move& move) {
    move.moved = move.cycles;
    state.contend(x, move);
  }
  static Int period(const State& state, const OfferPerOperand& offers) { return state.period(offers); }

  static void advance(State& state, Int n, const MovePerOperand& moves, Int period) {
    for (const std::size_t x : {Overlap::input, Overlap::weight})
      state.busy[x] = busy_input(*moves[x], state.busy[x], period, n);
    const Move& written = *moves[Overlap::output];
    const Int t = written.cycles;
    Int& p = state.busy[Overlap::output];
    if (!written.jump)
      p = period * (n - 1) + p;
    else
      p = written.doubled ? period * (n - 2) + t + std::max(t, period) + std::max(t, p)
                          : period * (n - 1) + 2 * t + p;
    state.critical = period * n;
  }

  /// The values of P of all operands that make no further jump grow equally, and only their maximum matters.
  static void to_normal_form(State& state, const std::array<bool, operand_count>& ended) {
    state.raise_critical();
    const Int latest = latest_of(state, ended);
    for (std::size_t x = 0; x < operand_count; ++x)
      if (ended[x]) state.busy[x] = latest;
  }

  /// A loop of n iterations with period L makes M = L * n, so this loop and the remaining loops take at least
  /// L * (rest - 1). P_O grows by at least as much.
  static Int bound_of_child(const State& state, Int rest, const OfferPerOperand& offers, Int period, Int n,
                            Int /*mvm*/) {
    RemainingTransfers outlook;
    for (std::size_t x = 0; x < operand_count; ++x) {
      outlook.transfers[x] = offers[x]->transfers;
      outlook.stream[x] = offers[x]->stream;
    }
    const Move& move = *offers[Overlap::output]->move;
    const Int written = state.busy[Overlap::output] + period * (n - 1) + (move.jump ? move.cycles : 0);
    return latency_of(written, 0, period * (rest - n), outlook);
  }
  static Int bound(const State& state, Int rest, const RemainingTransfers& outlook,
                   const std::array<bool, operand_count>& ended, Int /*mvm*/) {
    return latency_of(state.busy[Overlap::output], latest_of(state, ended), state.critical * (rest - 1),
                      outlook);
  }

  /// Equation (6.5).
  static Int complete(const State& state, const std::array<Int, operand_count>& edge, Int /*mvm*/) {
    return std::max({state.busy[0], state.busy[1], state.busy[2]}) +
           std::max(edge[Overlap::input], edge[Overlap::weight]) + edge[Overlap::output];
  }

  /// If M and P of `a` exceed those of `b` by at most D, the final P of `a` exceeds that of `b` by at most
  /// rest * D.
  static std::optional<Int> excess(const State& a, const State& b, Int rest, bool trades) {
    const Int difference = a.ahead_of(b);
    if (!trades && difference != 0) return std::nullopt;
    return difference * rest;
  }

  static Int preference(const State& state, Int rest) { return state.critical * rest; }

  /// True if P_O exceeds M after this move of O; splitting the loop would then make the next L longer.
  static bool pays_in_one_loop(const State& state, const OfferPerOperand& offers, Int period) {
    const Move& move = *offers[Overlap::output]->move;
    if (!move.jump) return false;
    const Int t = move.cycles;
    const Int p = state.busy[Overlap::output];
    return (move.doubled ? t + std::max(t, p) : 2 * t + p) > period;
  }

 private:
  static Int latest_of(const State& state, const std::array<bool, operand_count>& ended) {
    Int latest = 0;
    for (std::size_t x = 0; x < operand_count; ++x)
      if (ended[x]) latest = std::max(latest, state.busy[x]);
    return latest;
  }

  // The remaining loops multiply M by at least `rest`. P of an operand that makes no further jump, and P_O,
  // grow by at least L * (N - 1) in every row of eq. (6.3). P_O also grows by T at each of its transfers
  // (both rows), and the drain comes last. At the jump home, every row gives P >= T * N, since L >= T
  // (double) or L >= T + P (single). Each later loop of N' iterations multiplies P by at least N', since L >=
  // P. The latency is therefore at least T * r, regardless of earlier loops, if r iterations remain at that
  // jump. For O, both rows even give P >= T * (N + 1), and the latency is at least T * (r + r / N), where N
  // is at most the iterations that remain in the loop's dimension.
  static Int latency_of(Int written, Int latest, Int iterations, const RemainingTransfers& outlook) {
    return std::max({written + iterations + outlook.transfers[Overlap::output], latest + iterations,
                     outlook.stream[0], outlook.stream[1], outlook.stream[2]});
  }
};

static_assert(LatencyRecursion<MiredoRecursion>);

}  // namespace nestor::cim
