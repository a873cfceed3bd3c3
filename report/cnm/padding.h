// Record of a kernel whose extents --pad enlarged: its source is the kernel that was mapped, a
// note gives the requested extents.
#pragma once

#include "io/files.h"
#include "model/cnm/kernel.h"

namespace nestor::report {

std::string padding_note(const std::vector<Int>& asked, const std::vector<Int>& mapped);

/// The extents that were asked for, of a result's entry with this kernel; the kernel's own if it does not say
/// them.
std::vector<Int> extents_asked(const io::Json& entry, const cnm::Kernel& kernel);

/// By how many per cent extents were allowed to grow; 0 if the entry does not say a percentage.
double pad_of(const io::Json& entry);

}  // namespace nestor::report
