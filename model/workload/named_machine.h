// A loop-nest machine with the names that the user gave its parts, as read from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/loopnest/architecture.h"

namespace nestor {

/// Area of a part, and the origin of its costs.
struct PartCosts {
  std::optional<double> area;  ///< mm^2 per instance
  bool estimated = false;      ///< true if a cost is estimated by the rule of io/part_costs.h
  friend bool operator==(const PartCosts&, const PartCosts&) = default;
};

/// Names and costs of a hierarchy and its parts. No mapping depends on them.
struct HierarchyNames {
  std::string name;
  std::string source = {};                     ///< source of the parameters, if the file states it
  std::vector<std::string> memory_names = {};  ///< parallel to machine.memories
  std::vector<std::string> axis_names = {};    ///< parallel to machine.axes
  std::vector<PartCosts> memory_costs = {};    ///< parallel to machine.memories, or empty
  std::optional<double> compute_area = {};     ///< mm^2 per instance
  std::vector<std::string> untranslated = {};  ///< "key: reason", for a file in another tool's format
};

template <class Machine>
struct NamedMachine : HierarchyNames {
  Machine machine;
};

using NamedArchitecture = NamedMachine<Architecture>;

}  // namespace nestor
