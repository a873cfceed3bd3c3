// Cycles that a stream of HBM-PIM takes at least, from the stream's text alone: loops are not walked through.
//
// Gaps. Groups go through one after another; in a group, every burst but the first comes after another one.
// Between two consecutive bursts pass at least (a) the time between two reads or two writes, or the
// turnaround; (b) if both want one bank and the second is sure to lie in another row: the way from the first
// to closing its row, tRP and the way from opening to the second. (b) is counted where rows differ whatever
// the loops around are at, and for one loop also as often as addresses modulo a row's bursts say.
//
// Refresh. Between two consecutive bursts around a refresh of rank 0 pass at least the way from the first to
// closing, 1 + tRFC, and the way from opening to the second: `lost` cycles more than their gap, for the least
// of all pairs. Let a *window* be so many reads of one bank in a row that a refresh which is due before its
// first one starts before its last: in a window no other bank is opened, so all others are closed after
// max(tRAS, the way from a write to closing) and one cycle a bank; the bank itself after tRAS more and one
// gap between reads, in which it may be closed. Then nothing is open. Let x_1 < x_2 < .. be the times at
// which windows start, G_j the gaps up to window j, f and I the first time that refresh is due and its
// interval. Refreshes due up to x_j have started before x_(j+1), so x_(j+1) >= G_(j+1) + lost*(x_j - f)/I.
// With r = lost/I and c = r*(max(G_1, all G_(j+1) - G_j)/(1 - r) + f), induction gives x_j >= (G_j - c)/(1 -
// r).
//
// Refreshes that wait for each other go through together and lose time once. Let E be the longest way around
// a refresh, and a refresh be late if it starts I - E or more after it is due. Those that are not late have
// pairs of their own, or share one that is E longer for each; in the I - E cycles in which one that is late
// waits no window begins and ends, so they hold the gaps between at most two windows' starts and two
// straddling pairs: what is left must not be below `lost`, or refresh is not counted. docs/proofs.md has the
// argument as nestor-check uses it.
#pragma once

#include "model/cnm/stream.h"

namespace nestor::cnm {

class StreamBound {
 public:
  explicit StreamBound(const System& system);

  Int of(const Stream& stream) const;

  /// Reads of one bank in a row that are a window.
  Int window() const { return window_; }

 private:
  class Walk;

  const Dram& dram_;
  Int row_bursts_;
  Int least_gap_ = 1;              ///< of any two bursts
  std::array<Int, 2> turn_{};      ///< gap from a read to a write, from a write to a read
  std::array<Int, 2> to_close_{};  ///< from a read, from a write of its bank
  std::array<Int, 2> opened_{};    ///< from opening to a read, to a write
  Int window_ = 0;
  Int end_ = 0;  ///< after the last burst
};

}  // namespace nestor::cnm
