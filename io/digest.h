// 64-bit FNV-1a digest, used to check that an input is the one from which a result was computed. It does not
// protect against deliberate collisions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nestor::io {

/// Returns "fnv1a64:" and sixteen hexadecimal digits.
std::string digest(std::string_view content);

/// Digest of content that arrives in pieces.
class DigestOfPieces {
 public:
  void add(std::string_view content);
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace nestor::io
