// Commands of HBM-PIM for the region of a kernel, derived independently of the model; part of
// read_channel_map.
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm::second {

struct ReadRegion {
  std::string fault;               ///< a feature that HBM-PIM lacks
  std::vector<std::size_t> reads;  ///< pointwise: inputs that a tile reads, in order
  bool has_constants = false;      ///< excluding those that instructions imply
  Int held = 1;                    ///< results that registers hold at once
  std::vector<std::size_t> terms;  ///< reduction: its inputs
  bool is_product = false;
};

/// `used` are the dims of the output, operand `out`.
ReadRegion read_region(const Kernel& kernel, std::size_t out, const std::vector<bool>& used);

}  // namespace nestor::cnm::second
