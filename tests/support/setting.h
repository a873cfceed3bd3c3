// Numeric settings of tests, which the nightly run raises through environment variables.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nestor::testing {

inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

}  // namespace nestor::testing
