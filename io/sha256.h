// SHA-256 (FIPS 180-4), which identifies content: inputs of results, checkpoints, models and points of
// sweeps. It is implemented here, because eighty lines cost less than a dependency on a cryptography library.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace nestor::io {

/// Returns 64 hexadecimal digits.
std::string sha256(std::string_view content);

/// Hash of content that arrives in pieces.
class Sha256 {
 public:
  void add(std::string_view piece);
  /// Returns 64 hexadecimal digits. Nothing can be added afterwards.
  std::string finish();

 private:
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::uint64_t bytes_ = 0;
  std::string rest_;  ///< the end of the content that does not fill a block
};

}  // namespace nestor::io
