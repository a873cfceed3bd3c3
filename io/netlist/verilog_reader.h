// Reader of structural Verilog as mockturtle, ABC and Yosys write it: one module of `assign` statements over
// ~ & | ^ (and ~^), parentheses and constants. It supports vectors, bit and part selects, concatenations,
// escaped identifiers and both port styles. A vector's bits get names such as "a[3]"; ports start with the
// least significant bit.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

Result<simd::LogicNetwork> parse_verilog(std::string_view text, const std::string& file);

}  // namespace nestor::io
