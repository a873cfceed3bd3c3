// Properties of a kernel's region on HBM-PIM, derived independently of the model: the inputs that a tile
// reads, the registers for results, and the terms of a sum. Part of read_channel_map.
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
  std::vector<std::size_t> terms;  ///< reduction: inputs that are summed or multiplied
  bool is_product = false;
};

/// Returns the properties of the region. `used` marks the dims of the output, which is operand `out`.
ReadRegion read_region(const Kernel& kernel, std::size_t out, const std::vector<bool>& used);

}  // namespace nestor::cnm::second
