// Behaviour of a channel between the fences of two consecutive groups, cycle by cycle. Runs of cycles without
// a possible event are skipped in one step. Only the current group and the next group are visible, because no
// search of the queue goes beyond the second fence.
#pragma once

#include <vector>

#include "model/cnm/hbm_bank.h"
#include "model/cnm/hbm_machine.h"
#include "model/cnm/stream_cursor.h"

namespace nestor::cnm {

struct PendingBurst {
  bool write = false;
  Int bank = 0;
  Int row = 0;
  Int column = 0;
  const Access* access = nullptr;
  bool issued = false;
};

/// Times at which each rank's next refresh is due, and the ranks that wait for a refresh.
struct RefreshClock {
  std::vector<Int> next;
  std::vector<Int> due;

  Int earliest() const { return *std::min_element(next.begin(), next.end()); }
};

class HbmPhase {
 public:
  HbmPhase(const ChannelRules& rules, Int row_bursts, Int reserved_row)
      : rules_(rules), row_bursts_(row_bursts), reserved_row_(reserved_row) {}

  /// Runs the group at `cursor` to its fence. `lead` is the number of bursts in the queue, of which the first
  /// belong to the group. Returns false if a burst waits forever: for a bank that all-bank mode does not
  /// open, or because of endless refreshes.
  bool run(const StreamCursor& cursor, ChannelState& state, RefreshClock& clock, Int& lead,
           HbmCauses& causes);

 private:
  void load(const StreamCursor& cursor);
  bool refresh(ChannelState& state, RefreshClock& clock) const;
  bool issue(ChannelState& state);
  bool activate(ChannelState& state) const;
  bool close(ChannelState& state) const;
  Int quiet_until(const ChannelState& state, const RefreshClock& clock) const;
  Int& cause(const ChannelState& state, const RefreshClock& clock, HbmCauses& causes) const;

  const ChannelRules& rules_;
  Int row_bursts_;
  Int reserved_row_;
  /// Bursts of the group, followed by those before the fence of the next group.
  std::vector<PendingBurst> bursts_;
  std::size_t own_ = 0;      ///< number of bursts of the group; the last one carries the fence
  std::size_t head_ = 0;     ///< first burst not yet issued
  std::size_t entered_ = 0;  ///< number of bursts in the queue or issued
};

}  // namespace nestor::cnm
