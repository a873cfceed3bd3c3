// Reads a netlist file of any format we know: Verilog (.v), BLIF (.blif), AIGER (.aig, .aag). What a file is
// shows in its ending, or where that says nothing, in its first word.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

/// Of netlists and schedules, in bytes.
inline constexpr std::uintmax_t netlist_size_limit = std::uintmax_t{4} << 30U;

Result<simd::LogicNetwork> read_netlist(const std::filesystem::path& path);

/// `file` names the text in messages and its ending tells the format.
Result<simd::LogicNetwork> parse_netlist(std::string_view text, const std::string& file);

}  // namespace nestor::io
