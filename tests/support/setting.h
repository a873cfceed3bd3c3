// Numeric settings of tests, such as numbers of cases. Environment variables override them, as in the nightly
// run.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nestor::testing {

inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : fallback;
}

}  // namespace nestor::testing
