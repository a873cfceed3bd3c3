// Structural Verilog in: one module of `assign` statements over ~ & | ^ (and ~^), parentheses and constants,
// as mockturtle, ABC and Yosys write it. Vectors, bit and part selects, concatenations, escaped identifiers
// and both port styles are read; a vector's bits become names like "a[3]", in ports the least significant
// first.
#pragma once

#include <string>
#include <string_view>

#include "io/error.h"
#include "model/simd/logic_network.h"

namespace nestor::io {

Result<simd::LogicNetwork> parse_verilog(std::string_view text, const std::string& file);

}  // namespace nestor::io
