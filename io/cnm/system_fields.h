// Table of the values of a system file of the cnm space: a row per path ("dma.read.setup"), with its field
// and range. The reader, `--set PATH=VALUE` and the printer all use it. Paths with a name or number from the
// file (levels, ops, calls, barrier, peak_gops) are handled separately.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Sets the value at a path. The message of an error names the path and the expected value, without a
/// position.
MaybeError set_system_value(cnm::System& system, std::string_view path, std::string_view text);

/// Returns the paths of all values of the system, in the order of the file.
std::vector<std::string> system_paths(const cnm::System& system);

/// Returns the value at a path in the syntax of a file; empty for an unknown path.
std::string system_value(const cnm::System& system, std::string_view path);

/// Print and parse costs such as "8 + k", "16 + bytes/4" and "barrier".
std::string to_text(const cnm::SlotCost& cost);
Result<cnm::SlotCost> parse_slot_cost(std::string_view text);

}  // namespace nestor::io
