// Unique names of layers and operators for results. ONNX may leave nodes unnamed or repeat a name.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/checked.h"
#include "base/tables/hash_table.h"

namespace nestor::io::onnx_import {

class NumberedNames {
 public:
  /// Returns the name, or NAME#2, NAME#3, ... if it is taken.
  std::string take(const std::string& name) {
    // Numbering continues after the last number for this name, so that a thousand equal names take linear
    // time.
    Int asked = ++taken_[name];
    if (asked == 1) return name;
    for (;; ++asked) {
      std::string candidate = fmt::format("{}#{}", name, asked);
      if (!taken_.emplace(candidate, 1).second) continue;
      taken_[name] = asked;
      return candidate;
    }
  }

 private:
  HashMap<std::string, Int> taken_;  ///< last number used for each name
};

}  // namespace nestor::io::onnx_import
