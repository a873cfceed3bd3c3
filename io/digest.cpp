#include "io/digest.h"

#include <fmt/format.h>

namespace nestor::io {

void DigestOfPieces::add(std::string_view content) {
  for (const char c : content) {
    hash_ ^= static_cast<unsigned char>(c);
    hash_ *= 0x100000001b3ULL;
  }
}

std::string DigestOfPieces::text() const { return fmt::format("fnv1a64:{:016x}", hash_); }

std::string digest(std::string_view content) {
  DigestOfPieces pieces;
  pieces.add(content);
  return pieces.text();
}

}  // namespace nestor::io
