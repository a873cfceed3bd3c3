// Numeric settings of tests, such as numbers of cases. Environment variables override them, as in the nightly
// run.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace nestor::tests {

/// Minimum number of cases for which a test checks its coverage. Mutation runs (tests/mutation) start with
/// fewer cases. A coverage check would fail on so few even without a fault, so every planted fault would seem
/// to be detected.
inline constexpr std::uint64_t fewest_cases_that_tell = 40;

inline std::uint64_t setting(const char* name, std::uint64_t fallback) {
  const char* const found = std::getenv(name);
  if (found == nullptr) return fallback;
  const std::string_view text = found;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    std::fprintf(stderr, "%s is '%s', expected an integer\n", name, found);
    std::exit(EXIT_FAILURE);
  }
  return value;
}

}  // namespace nestor::tests
