// FNV-1a, 64 bits: tells whether an input is the one a result was made from. Not a protection against
// somebody who wants two files to look the same.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

/// "fnv1a64:" and sixteen hexadecimal digits.
std::string digest(std::string_view content);

}  // namespace nestor::io
