// Reader of names in a file that refer to tensors or operators of a network.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/tables/hash_table.h"
#include "io/checked_reader.h"

namespace nestor::io {

using Places = HashMap<std::string, std::size_t>;

/// Returns the position of the named item, or 0 after an error. `expected` describes the valid names in
/// messages.
inline std::size_t read_reference(const Node& node, std::string_view what, const Places& places,
                                  std::string_view expected, Reading& reading) {
  const auto found = node.is_scalar() ? places.find(node.text()) : places.end();
  if (found != places.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [name, place] : places) names.push_back(name);
  std::sort(names.begin(), names.end());  // the iteration order of the table differs between runs
  reading.fail(node, fmt::format("{} is {}{}, expected {}", what,
                                 node.is_scalar() ? quote(node.text()) : node.describe(),
                                 suggestion(node.text(), names), expected));
  return 0;
}

}  // namespace nestor::io
