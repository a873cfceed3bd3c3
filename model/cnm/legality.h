// Legality on an UPMEM machine (docs/models/cnm.md, "Legality"): the first rule that a listing breaks, as a
// sentence with its figures. The real machine refuses and runs the same.
#pragma once

#include <optional>
#include <string>

#include "model/cnm/listing.h"

namespace nestor::cnm {

/// Memory that a kernel takes, in bytes.
struct MemoryUse {
  Int wram = 0;  ///< of a DPU: stacks and buffers of all tasklets, and what is reserved
  Int mram = 0;  ///< of a DPU
  Int iram = 0;
};

struct Legality {
  std::string violation;  ///< empty: it runs
  MemoryUse use;
  bool legal() const { return violation.empty(); }
};

/// `mram`: bytes of the operands in a DPU, where the mapping knows better than the listing.
Legality check_listing(const System& system, const Listing& listing, Int tasklets,
                       std::optional<Int> mram = std::nullopt);

}  // namespace nestor::cnm
