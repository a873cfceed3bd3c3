// What the recursions of the latency models have in common (docs/models/cim.md, sections 6 and 6b): the
// critical path M of the loops placed so far, the time P that each operand's pipeline has been busy, and the
// candidate c_x for the period L of the next loop. A recursion supplies
//
//     State                                    of a label
//     start(mvm), time(state, x, returns, rest, move)
//     advance(state, n, moves, period)         one loop of n iterations with period L
//     to_normal_form(state, ended)             a normal form, so that more labels compare
//     bound_of_child(...), bound(...)          never above the latency of a completion
//     complete(state, edge, mvm)               the latency
//     excess(a, b, rest, trades)               how many cycles a may end later than b at most, if known
//     offers_every_product, pays_in_one_loop() which lengths of a loop are worth offering
#pragma once

#include <algorithm>
#include <optional>

#include "model/cim/search/placement.h"

namespace nestor::cim {

/// M and P.
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
  /// c_x of a move, (6.1).
  void contend(std::size_t x, Move& move) const {
    if (!move.jump)
      move.contender = busy[x];
    else
      move.contender = move.doubled ? std::max(move.moved, busy[x]) : move.moved + busy[x];
  }
  /// L, (6.2): the next period is at least M, and every c_x.
  Int period(const OfferPerOperand& offers) const {
    return std::max(
        {critical, offers[0]->move->contender, offers[1]->move->contender, offers[2]->move->contender});
  }
  /// The next L is at least every P, so M may be raised to their maximum.
  void raise_critical() {
    for (const Int p : busy) critical = std::max(critical, p);
  }
  /// How much M or a P of this exceeds that of another, at most.
  Int ahead_of(const Overlap& other) const {
    Int difference = std::max<Int>(0, critical - other.critical);
    for (std::size_t x = 0; x < operand_count; ++x)
      difference = std::max(difference, busy[x] - other.busy[x]);
    return difference;
  }
};

/// P of an input after one loop, (6.3), in both models.
inline Int busy_input(const Move& move, Int p, Int period, Int n) {
  const Int t = move.cycles;
  if (!move.jump) return period * (n - 1) + p;
  return move.doubled ? std::max(period * (n - 3) + 2 * t + std::max(t, p), t * n)
                      : period * (n - 2) + 2 * t + p;
}

/// Whether the loop lets an input jump out of a double buffer.
inline bool doubles_an_input(const OfferPerOperand& offers) {
  return offers[Overlap::input]->move->doubled || offers[Overlap::weight]->move->doubled;
}

/// Energy alone: there is no recursion.
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
  static Int bound(const State&, Int, const Outlook&, const std::array<bool, operand_count>&, Int) {
    return 0;
  }
  static Int complete(const State&, const std::array<Int, operand_count>&, Int) { return 0; }
  static std::optional<Int> excess(const State&, const State&, Int, bool) { return 0; }
  static Int preference(const State&, Int) { return 0; }
  static bool pays_in_one_loop(const State&, const OfferPerOperand&, Int) { return false; }
};

}  // namespace nestor::cim
