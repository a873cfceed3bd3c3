// A machine of loop nests with the names a person gave its parts, as read from a file.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/architecture.h"

namespace nestor {

/// What a hierarchy and its parts are called.
struct HierarchyNames {
  std::string name;
  std::string source;                     ///< where the parameters come from, if the file says
  std::vector<std::string> memory_names;  ///< as machine.memories
  std::vector<std::string> axis_names;    ///< as machine.axes
};

template <class Machine>
struct NamedMachine : HierarchyNames {
  Machine machine;
};

using NamedArchitecture = NamedMachine<Architecture>;

}  // namespace nestor
