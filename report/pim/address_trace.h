// The address trace of a layer on a PIM machine as CSV: its accesses to DRAM in order, one per line.
#pragma once

#include <filesystem>

#include "io/error.h"
#include "sim/pim/row_trace.h"

namespace nestor::report {

/// Writes the columns step, operand, access (read or write), address (in elements of the tensor), bank, row
/// and opens (1 if the access opens its row).
io::MaybeError write_address_trace(const std::filesystem::path& path, const sim::pim::AccessLog& log);

}  // namespace nestor::report
