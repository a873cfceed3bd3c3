#include "io/digest.h"

#include <fmt/format.h>

#include <cstdint>

namespace nestor::io {

std::string digest(std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : content) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return fmt::format("fnv1a64:{:016x}", hash);
}

}  // namespace nestor::io
