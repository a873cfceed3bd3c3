// Readers of numbers in files of other tools. A number may be an arithmetic expression (io/arithmetic.h).
#pragma once

#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io::neighbours {

// Limits of numbers and lists, the same for the files of every tool.
inline constexpr IntRange bit_range = {1, Int{1} << 52};
inline constexpr IntRange lane_range = {1, Int{1} << 31};
inline constexpr IntRange bound_range = {1, Int{1} << 31};
inline constexpr std::size_t most_nodes = 64;    // of a machine
inline constexpr std::size_t most_indices = 64;  // of a tensor

/// Reads a number of at least `low`; inf is allowed.
double read_expression(const Node& node, std::string_view what, double low, Reading& reading);

/// Reads an integer (bits, lanes, ...) within `range`.
Int read_whole(const Node& node, std::string_view what, IntRange range, Reading& reading);

}  // namespace nestor::io::neighbours
