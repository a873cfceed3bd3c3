// Common part of the recursions of the latency models (docs/models/cim.md, sections 6 and 6b): the critical
// path M of the loops placed so far, for each operand, the time P from the arrival of a tile to the end of
// its use, and the candidate c_x for the period L of the next loop. LatencyRecursion lists the members of
// each recursion.
#pragma once

#include <algorithm>
#include <optional>

#include "model/cim/search/placement.h"

namespace nestor::cim {

/// Interface of a latency model for the searches.
///
/// - State: part of a label. start(state, mvm) initialises it, advance(state, n, moves, period) places a
///   loop of n iterations with period L, to_normal_form(state, ended) makes more labels comparable.
/// - time(state, x, returns, rest, move): sets the time of a move of operand x, and its c_x;
///   period(state, offers): the least period L that all moves allow.
/// - bound_of_child(state, rest, offers, period, n, mvm), bound(state, rest, outlook, ended, mvm): lower
///   bounds on the latency of all completions. complete(state, edge, mvm): the latency.
/// - excess(a, b, rest, trades): upper bound on the cycles by which `a` may end later than `b`, if known.
/// - preference(state, rest): estimate of the latency, by which a dive orders labels.
///   pays_in_one_loop(state, offers, period): true if a loop of several factors should be offered.
template <typename R>
concept LatencyRecursion = std::is_trivially_copyable_v<typename R::State> &&
    std::default_initializable<typename R::State> &&
    requires(typename R::State& state, const typename R::State& held, const OfferPerOperand& offers,
             const MovePerOperand& moves, Move& move, const RemainingTransfers& outlook, Int cycles,
             std::size_t x, const std::array<bool, operand_count>& ended,
             const std::array<Int, operand_count>& edge) {
  typename std::bool_constant<R::follows_latency>;  // false if latency does not matter
  // True if bound() of a child may be higher than bound_of_child().
  typename std::bool_constant<R::refines_children>;
  typename std::bool_constant<R::offers_every_product>;  // true if loops of any factors are offered
  typename std::bool_constant<R::offers_pairs_of_two>;   // true if loops of 2 * 2 are offered
  R::start(state, cycles);
  R::time(held, x, cycles, cycles, move);
  { R::period(held, offers) } -> std::same_as<Int>;
  R::advance(state, cycles, moves, cycles);
  R::to_normal_form(state, ended);
  { R::bound_of_child(held, cycles, offers, cycles, cycles, cycles) } -> std::same_as<Int>;
  { R::bound(held, cycles, outlook, ended, cycles) } -> std::same_as<Int>;
  { R::complete(held, edge, cycles) } -> std::same_as<Int>;
  { R::excess(held, held, cycles, true) } -> std::same_as<std::optional<Int>>;
  { R::preference(held, cycles) } -> std::same_as<Int>;
  { R::pays_in_one_loop(held, offers, cycles) } -> std::same_as<bool>;
};

/// Values of M and P.
struct Overlap {
  static constexpr auto input = index_of(Operand::I);
  static constexpr auto weight = index_of(Operand::W);
  static constexpr auto output = index_of(Operand::O);

  Int critical = 0;                       ///< M
  std::array<Int, operand_count> busy{};  ///< P_x

  void begin(Int mvm) {
    critical = mvm;
    busy.fill(mvm);
  }
  /// Computes c_x of a move, eq. (6.1).
  void contend(std::size_t x, Move& move) const {
    if (!move.jump)
      move.contender = busy[x];
    else
      move.contender = move.doubled ? std::max(move.moved, busy[x]) : move.moved + busy[x];
  }
  /// Returns L, eq. (6.2): the largest of M and every c_x.
  Int period(const OfferPerOperand& offers) const {
    return std::max(
        {critical, offers[0]->move->contender, offers[1]->move->contender, offers[2]->move->contender});
  }
  /// Raises M to the largest P. This changes no later period, since the next L is at least every P.
  void raise_critical() {
    for (const Int p : busy) critical = std::max(critical, p);
  }
  /// Returns the largest excess of M or any P over its value in another state, at least 0.
  Int ahead_of(const Overlap& other) const {
    Int difference = std::max<Int>(0, critical - other.critical);
    for (std::size_t x = 0; x < operand_count; ++x)
      difference = std::max(difference, busy[x] - other.busy[x]);
    return difference;
  }
};

/// Returns P of I or W after one loop, eq. (6.3), in both models.
inline Int busy_input(const Move& move, Int p, Int period, Int n) {
  const Int t = move.cycles;
  if (!move.jump) return period * (n - 1) + p;
  return move.doubled ? std::max(period * (n - 3) + 2 * t + std::max(t, p), t * n)
                      : period * (n - 2) + 2 * t + p;
}

/// True if I or W jumps out of a double buffer in the loop.
inline bool doubles_an_input(const OfferPerOperand& offers) {
  return offers[Overlap::input]->move->doubled || offers[Overlap::weight]->move->doubled;
}

/// Empty recursion, for energy alone.
struct NoRecursion {
  struct State {};
  static constexpr bool follows_latency = false;
  static constexpr bool refines_children = false;
  static constexpr bool offers_every_product = false;
  static constexpr bool offers_pairs_of_two = false;

  static void start(State&, Int) {}
  static void time(const State&, std::size_t, Int, Int, Move&) {}
  static Int period(const State&, const OfferPerOperand&) { return 0; }
  static void advance(State&, Int, const MovePerOperand&, Int) {}
  static void to_normal_form(State&, const std::array<bool, operand_count>&) {}
  static Int bound_of_child(const State&, Int, const OfferPerOperand&, Int, Int, Int) { return 0; }
  static Int bound(const State&, Int, const RemainingTransfers&, const std::array<bool, operand_count>&,
                   Int) {
    return 0;
  }
  static Int complete(const State&, const std::array<Int, operand_count>&, Int) { return 0; }
  static std::optional<Int> excess(const State&, const State&, Int, bool) { return 0; }
  static Int preference(const State&, Int) { return 0; }
  static bool pays_in_one_loop(const State&, const OfferPerOperand&, Int) { return false; }
};

static_assert(LatencyRecursion<NoRecursion>);

}  // namespace nestor::cim
