// Writer of netlists as structural Verilog and as BLIF. The readers recognise its expressions as XOR3 and
// MAJ3, so that reading a written netlist yields the same gates in the same order.
#pragma once

#include <filesystem>
#include <string>

#include "io/error.h"
#include "model/simd/netlist.h"

namespace nestor::io {

std::string to_verilog(const simd::Netlist& netlist);
std::string to_blif(const simd::Netlist& netlist);

/// Writes BLIF if the file ends in .blif, and Verilog otherwise; "-" is standard output.
MaybeError write_netlist(const std::filesystem::path& path, const simd::Netlist& netlist);

}  // namespace nestor::io
