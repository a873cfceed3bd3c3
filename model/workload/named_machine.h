// A machine of loop nests with the names a person gave its parts, as read from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/loopnest/architecture.h"

namespace nestor {

/// What a part costs besides cycles and the energy of a transfer.
struct PartCosts {
  std::optional<double> area;  ///< mm^2 an instance
  bool estimated = false;      ///< a figure of it follows the rule of io/part_costs.h
  friend bool operator==(const PartCosts&, const PartCosts&) = default;
};

/// What a hierarchy and its parts are called, and what no mapping depends on.
struct HierarchyNames {
  std::string name;
  std::string source = {};                     ///< where the parameters come from, if the file says
  std::vector<std::string> memory_names = {};  ///< as machine.memories
  std::vector<std::string> axis_names = {};    ///< as machine.axes
  std::vector<PartCosts> memory_costs = {};    ///< as machine.memories, or empty
  std::optional<double> compute_area = {};     ///< mm^2 an instance
  std::vector<std::string> untranslated = {};  ///< "key: why", of a file in another tool's format
};

template <class Machine>
struct NamedMachine : HierarchyNames {
  Machine machine;
};

using NamedArchitecture = NamedMachine<Architecture>;

}  // namespace nestor
