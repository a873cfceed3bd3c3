// Table of the keys of an operator line in a program. The printer, the parser and the binary form use this
// table. Keys with default values are not written.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/chip/program/program.h"

namespace nestor::chip_program {

struct Key {
  std::string_view name;
  std::size_t values = 1;
  Int* (*of)(Keys& keys);
  Int least = 0;  ///< minimum of each value
};

std::span<const Key> operator_keys();

/// Returns the values that `keys` contains for a key.
inline std::vector<Int> values_of(const Key& key, Keys keys) {
  const Int* first = key.of(keys);
  return {first, first + key.values};
}

}  // namespace nestor::chip_program
