// Names of layers and operators as results bear them: ONNX leaves nodes unnamed, or names two alike.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/checked.h"
#include "base/tables/hash_table.h"

namespace nestor::io::onnx_import {

class NumberedNames {
 public:
  /// The name, or NAME#2, NAME#3, ... where it is taken.
  std::string take(const std::string& name) {
    // How often a name was asked for is where its next number starts: a thousand equal names stay cheap.
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
  HashMap<std::string, Int> taken_;  ///< and how often each was asked for
};

}  // namespace nestor::io::onnx_import
