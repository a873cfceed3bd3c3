// What a result says of a kernel whose extents --pad let grow: its source is the kernel that was mapped, a
// note says what was asked for.
#pragma once

#include "io/files.h"
#include "model/cnm/kernel.h"

namespace nestor::report {

std::string padding_note(const std::vector<Int>& asked, const std::vector<Int>& mapped);

/// The extents that were asked for, of a result's entry with this kernel; the kernel's own if no such note
/// says otherwise.
std::vector<Int> extents_asked(const io::Json& entry, const cnm::Kernel& kernel);

/// By how much members of the entry's list of the best reach beyond the kernel, at most.
Int growth_of(const io::Json& entry, const cnm::Kernel& asked);

}  // namespace nestor::report
