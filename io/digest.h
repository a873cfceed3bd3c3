// FNV-1a, 64 bits: tells whether an input is the one a result was made from. Not a protection against
// somebody who wants two files to look the same.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nestor::io {

/// "fnv1a64:" and sixteen hexadecimal digits.
std::string digest(std::string_view content);

/// The same of content that comes in pieces.
class DigestOfPieces {
 public:
  void add(std::string_view content);
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace nestor::io
