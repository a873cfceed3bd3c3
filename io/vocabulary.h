// Letters of dimensions and operands in files, as word lists for the checked reader. Each list has the order
// of its enumeration.
#pragma once

#include <array>
#include <string_view>

#include "model/loopnest/dims.h"

namespace nestor::io {

inline constexpr std::array<std::string_view, dim_count> dim_words = {"N", "K", "C", "P", "Q", "R", "S", "G"};
inline constexpr std::array<std::string_view, operand_count> operand_words = {"I", "W", "O"};

}  // namespace nestor::io
