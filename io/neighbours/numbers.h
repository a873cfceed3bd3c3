// Readers of numbers in files of other tools. A number may be an arithmetic expression (io/arithmetic.h).
#pragma once

#include <string_view>

#include "io/checked_reader.h"

namespace nestor::io::neighbours {

/// Reads a number of at least `low`; inf is allowed.
double read_expression(const Node& node, std::string_view what, double low, Reading& reading);

/// Reads an integer (bits, lanes, ...) within `range`.
Int read_whole(const Node& node, std::string_view what, IntRange range, Reading& reading);

}  // namespace nestor::io::neighbours
