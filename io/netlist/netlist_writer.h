// Netlists out, as structural Verilog and as BLIF, in the forms our readers take as XOR3/MAJ3 already: what
// is written reads back as the same gates in the same order.
#pragma once

#include <filesystem>
#include <string>

#include "io/error.h"
#include "model/simd/netlist.h"

namespace nestor::io {

std::string to_verilog(const simd::Netlist& netlist);
std::string to_blif(const simd::Netlist& netlist);

/// BLIF where the file ends in .blif, Verilog elsewhere; "-" is standard output.
MaybeError write_netlist(const std::filesystem::path& path, const simd::Netlist& netlist);

}  // namespace nestor::io
