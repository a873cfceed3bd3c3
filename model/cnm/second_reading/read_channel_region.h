// HBM-PIM commands for the region of a kernel, derived independently of the model. Part of read_channel_map.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm::second {

struct ReadRegion {
  std::string fault;               ///< a required feature that HBM-PIM lacks, or empty
  std::vector<std::size_t> reads;  ///< pointwise: inputs that a tile reads, in order
  bool has_constants = false;      ///< true if there are constants other than those that instructions imply
  Int held = 1;                    ///< maximum number of results in registers at the same time
  std::vector<std::size_t> terms;  ///< reduction: inputs that are summed
  bool is_product = false;
};

/// Returns the commands. `used` marks the dims of the output, which is operand `out`.
ReadRegion read_region(const Kernel& kernel, std::size_t out, const std::vector<bool>& used);

}  // namespace nestor::cnm::second
