// The names of the simd schedulers, as options and results have them.
#pragma once

#include <cstdint>

namespace nestor::simd {

enum class Method : std::uint8_t { nestor, masim };

constexpr const char* to_string(Method method) {
  switch (method) {
    case Method::nestor:
      return "nestor";
    case Method::masim:
      return "masim";
  }
  return "?";
}

}  // namespace nestor::simd
