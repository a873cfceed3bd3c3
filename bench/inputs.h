// What benchmarks make of their command lines: lists, and files that must be readable.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "io/error.h"

namespace nestor::bench {

/// "a,b" as its parts.
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

/// What was read; ends the program with status 3 and the reason where that is not possible.
template <typename T>
T or_exit(io::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "{}\n", result.error().to_string());
  std::exit(3);
}

}  // namespace nestor::bench
