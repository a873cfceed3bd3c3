// SHA-256 (FIPS 180-4) of a text, for keys that stand for their content: two points of a sweep with equal
// keys are the same work. By hand, as sixty lines are less than a dependency on a library for cryptography.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

/// 64 hexadecimal digits.
std::string sha256(std::string_view content);

}  // namespace nestor::io
