// Command-line helpers of benchmarks: lists, numbers, and files that must be readable.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parse_number.h"
#include "io/error.h"

namespace nestor::bench {

/// Splits "a,b" into its parts.
inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Parses a number. If the word is not a number, ends the program with status 3.
template <typename Number>
Number number_of(std::string_view word) {
  if (const auto number = parse_number<Number>(word)) return *number;
  fmt::print(stderr, "'{}' is not a number that fits here\n", word);
  std::exit(3);
}

/// Returns the value of a result. If there is none, prints the reason and ends the program with status 3.
template <typename T>
T or_exit(io::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().to_string());
  std::exit(3);
}

}  // namespace nestor::bench
