// Record of a kernel whose extents --pad enlarged. The source in the result is the padded kernel, and a note
// states the requested extents.
#pragma once

#include "io/files.h"
#include "model/cnm/kernel.h"

namespace nestor::report {

std::string padding_note(const std::vector<Int>& asked, const std::vector<Int>& mapped);

/// Returns the requested extents in the result's entry of this kernel, or else the extents of the kernel.
std::vector<Int> extents_asked(const io::Json& entry, const cnm::Kernel& kernel);

/// Returns the percentage by which extents could grow, or 0 if the entry has none.
double pad_of(const io::Json& entry);

}  // namespace nestor::report
