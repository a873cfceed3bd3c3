// Comparison of figures in JSON, with a message for each that differs.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "report/verify/comparison.h"

namespace nestor::tests {

/// Expects equal objects, key by key. Numbers with a fraction may differ by a rounding error.
inline void expect_equal(const io::Json& expected, const io::Json& found, const std::string& path) {
  if (expected.is_number_float() && found.is_number()) {
    EXPECT_TRUE(io::nearly_equal(expected.get<double>(), found.get<double>()))
        << path << ": " << expected << " and " << found;
  } else if (expected.is_array() && found.is_array() && expected.size() == found.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      expect_equal(expected[i], found[i], path + '[' + std::to_string(i) + ']');
  } else if (!expected.is_object() || !found.is_object()) {
    EXPECT_EQ(expected, found) << path;
  } else {
    EXPECT_EQ(expected.size(), found.size()) << path << ": " << expected << " and " << found;
    for (const auto& [key, value] : expected.items())
      expect_equal(value, found.value(key, io::Json("nothing")), path + '.' + key);
  }
}

}  // namespace nestor::tests
