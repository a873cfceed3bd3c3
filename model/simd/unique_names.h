// Names for unnamed nodes: "n<index>", extended if the source already uses that name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/tables/hash_table.h"

namespace nestor::simd {

class UniqueNames {
 public:
  /// Marks a name as used. Stores only names that begin with "n", because fresh() returns no others.
  void reserve(std::string_view name) {
    if (!name.empty() && name.front() == 'n') taken_.emplace(name);
  }
  /// Returns an unused name. The names of different indices differ.
  std::string fresh(std::size_t index) const {
    std::string name(1, 'n');
    name += std::to_string(index);
    while (!taken_.empty() && taken_.count(name) != 0) name += '_';
    return name;
  }

 private:
  HashSet<std::string> taken_;
};

}  // namespace nestor::simd
