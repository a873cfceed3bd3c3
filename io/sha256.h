// SHA-256 (FIPS 180-4) of a text, for keys derived from content: two points of a sweep with equal keys
// represent the same work. It is implemented here, because sixty lines cost less than a dependency on a
// cryptography library.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

/// Returns 64 hexadecimal digits.
std::string sha256(std::string_view content);

}  // namespace nestor::io
