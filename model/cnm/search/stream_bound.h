// Lower bound on the cycles of an HBM-PIM stream, from the stream's text alone, without unrolling loops.
//
// Gaps. Groups run one after another. In a group, every burst except the first follows another burst. Two
// consecutive bursts are separated by at least (a) the time between two reads or two writes, or the
// turnaround; (b) if both use one bank and the second certainly addresses another row: the time from the
// first burst until its row can be closed, tRP, and the time from opening the other row to the second burst.
// (b) is included if rows differ for all values of the surrounding loops. For one loop, it is also included
// as often as the addresses modulo a row's bursts imply.
//
// Refresh. Two consecutive bursts around a refresh of rank 0 are separated by at least the time from the
// first burst until its row can be closed, 1 + tRFC, and the time from opening a row to the second burst.
// This is `lost` cycles more than their gap, for the pair with the least excess. Let a *window* be
// consecutive reads of one bank, so many that a refresh that is due before the first read starts before the
// last. In a window no other bank is opened, so all others are closed after max(tRAS, the time from a write
// until closing) and one cycle per bank. The bank itself is closed after tRAS more and one gap between reads,
// in which it may be closed. Then no bank is open. Let x_1 < x_2 < .. be the times at which windows start,
// G_j the gaps up to window j, f the first time that refresh is due and I its interval. Refreshes due up to
// x_j have started before x_(j+1), so x_(j+1) >= G_(j+1) + lost*(x_j - f)/I. With r = lost/I and c =
// r*(max(G_1, all G_(j+1) - G_j)/(1 - r) + f), induction yields x_j >= (G_j - c)/(1 - r).
//
// Refreshes that wait for each other run together and lose time only once. Let E be the longest time between
// two bursts around a refresh. A refresh is late if it starts I - E or more after it is due. Refreshes that
// are not late have separate pairs, or share one pair that is longer by E for each refresh. During the I - E
// cycles for which a late refresh waits, no window both begins and ends. These cycles therefore contain the
// gaps between at most two windows' starts and two pairs across their ends. The remainder must be at least
// `lost`, otherwise refresh is not included. docs/proofs.md has the argument as nestor-check uses it.
#pragma once

#include "model/cnm/stream.h"

namespace nestor::cnm {

class StreamBound {
 public:
  explicit StreamBound(const System& system);

  Int of(const Stream& stream) const;

  /// Returns the number of consecutive reads of one bank that form a window.
  Int window() const { return window_; }

 private:
  class Walk;

  const Dram& dram_;
  Int row_bursts_;
  Int least_gap_ = 1;              ///< least gap between any two bursts
  std::array<Int, 2> turn_{};      ///< gaps from a read to a write and from a write to a read
  std::array<Int, 2> to_close_{};  ///< from a read or a write until its row can be closed
  std::array<Int, 2> opened_{};    ///< from opening a row to a read and to a write
  Int window_ = 0;
  Int end_ = 0;  ///< cycles after the last burst
};

}  // namespace nestor::cnm
