// Legality on a UPMEM machine (docs/models/cnm.md, "Legality"): the first rule that a listing breaks, as a
// sentence with numbers. The real machine accepts and refuses the same listings.
#pragma once

#include <optional>
#include <string>

#include "model/cnm/listing.h"

namespace nestor::cnm {

/// Memory use of a kernel in bytes.
struct MemoryUse {
  Int wram = 0;  ///< per DPU: stacks and buffers of all tasklets, and the reserved part
  Int mram = 0;  ///< per DPU
  Int iram = 0;
};

struct Legality {
  std::string violation;  ///< empty if legal
  MemoryUse use;
  bool legal() const { return violation.empty(); }
};

/// Checks a listing against all rules. `mram` is the number of bytes of the operands in a DPU, if the mapping
/// determines it more precisely than the listing.
Legality check_listing(const System& system, const Listing& listing, Int tasklets,
                       std::optional<Int> mram = std::nullopt);

}  // namespace nestor::cnm
