// The one table of what a system file of the cnm space may say: a row per path ("dma.read.setup"), with the
// field it sets and its range. The reader, `--set PATH=VALUE` and the printer all work from it; operations,
// calls, barriers and levels, whose names are open, are handled beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Sets one value by its path; the message of an error names the path and what was expected, without a place.
MaybeError set_system_value(cnm::System& system, std::string_view path, std::string_view text);

/// Every path of the system's target that takes a value, in the order of the file.
std::vector<std::string> system_paths(const cnm::System& system);

/// The value at a path as it would be written; empty for an unknown path.
std::string system_value(const cnm::System& system, std::string_view path);

/// "8 + k", "16 + bytes/4", "barrier" and back.
std::string to_text(const cnm::SlotCost& cost);
Result<cnm::SlotCost> parse_slot_cost(std::string_view text);

}  // namespace nestor::io
