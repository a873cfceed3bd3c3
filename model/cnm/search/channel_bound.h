// Lower bound on the cycles of a general stream of HBM-PIM, from the numbers of its bursts alone. It prunes
// most maps before their streams are written and bounded by StreamBound.
//
// Safety: two consecutive bursts are separated by at least a time that does not depend on their banks. It
// is either the time between two reads or two writes of one bank group, or the turnaround time from reads
// to writes or back. Rows and refresh are ignored.
#pragma once

#include "model/cnm/estimate/pim_map.h"

namespace nestor::cnm {

class ChannelBound {
 public:
  ChannelBound(const Kernel& kernel, const PimForm& form, const System& system);

  /// Returns a bound for all maps with this `local` part per bank, regardless of their other keys.
  Int of_local(const std::vector<Int>& local) const;
  /// Returns a bound for all maps that divide these extents over at most this number of units.
  Int of_units(const std::vector<Int>& extents, Int units) const;
  /// Returns a bound for a contraction with known block, order and halves. Uses only the fields of `map` that
  /// are set before registers are checked.
  Int of_steps(const PimMap& map) const;
  /// Like of_steps(), but valid for all orders of the steps.
  Int of_any_order(const PimMap& map) const;

 private:
  /// Numbers of tiles that are moved.
  struct Moved {
    Int results = 1;  ///< tiles of the output
    Int loads = 0;    ///< tiles of the factor that is not read at every step
  };
  Int of_reads(Int reads) const;
  Int of_moved(const PimMap& map, const Moved& moved, bool stationary) const;
  Int visits(std::size_t operand, const PimMap& map) const;

  const Kernel& kernel_;
  const PimForm& form_;
  Int again_ = 1;     ///< least cycles between two consecutive bursts
  Int to_write_ = 1;  ///< least additional cycles from a read to a write
  Int to_read_ = 1;
  Int end_ = 0;    ///< cycles after the last burst
  Int frame_ = 0;  ///< least cycles of the bursts before and after the tiles
};

}  // namespace nestor::cnm
