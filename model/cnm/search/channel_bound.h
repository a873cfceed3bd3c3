// Cycles that a general stream of HBM-PIM takes at least, from counts of its bursts alone: what most members
// are closed by before their stream is written down (StreamBound).
//
// Why it is safe. Every burst but the first comes after another one, whose effects hold for all banks: no
// sooner than the time between two reads or two writes of one group of banks, or than the turnaround from
// reads to writes or back. Rows and refresh are left out.
#pragma once

#include "model/cnm/estimate/pim_map.h"

namespace nestor::cnm {

class ChannelBound {
 public:
  ChannelBound(const Kernel& kernel, const PimForm& form, const System& system);

  /// Of all maps that leave a bank this `local`, whatever their other keys.
  Int of_local(const std::vector<Int>& local) const;
  /// Of all maps that cut these extents over at most so many units.
  Int of_units(const std::vector<Int>& extents, Int units) const;
  /// Of a contraction, its block, order and halves known; of `map` what is filled in before registers are
  /// checked.
  Int of_steps(const PimMap& map) const;

 private:
  Int of_reads(Int reads) const;
  Int visits(std::size_t operand, const PimMap& map) const;

  const Kernel& kernel_;
  const PimForm& form_;
  Int again_ = 1;     ///< between two reads or two writes
  Int to_write_ = 1;  ///< more than that from a read to a write
  Int to_read_ = 1;
  Int end_ = 0;    ///< after the last burst
  Int frame_ = 0;  ///< bursts around the tiles
};

}  // namespace nestor::cnm
