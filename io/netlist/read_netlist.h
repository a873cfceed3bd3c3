// Reader of netlist files in all supported formats: Verilog (.v), BLIF (.blif), AIGER (.aig, .aag). The
// extension determines the format; if it is unknown, the first word does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

/// Largest size of a netlist or schedule file, in bytes.
inline constexpr std::uintmax_t netlist_size_limit = std::uintmax_t{4} << 30U;

Result<simd::LogicNetwork> read_netlist(const std::filesystem::path& path);

/// Parses the text. `file` is the name in messages, and its extension determines the format.
Result<simd::LogicNetwork> parse_netlist(std::string_view text, const std::string& file);

}  // namespace nestor::io
