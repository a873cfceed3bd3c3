// An architecture with the names a person gave its parts, as read from a file.
#pragma once

#include <string>
#include <vector>

#include "model/loopnest/architecture.h"

namespace nestor {

struct NamedArchitecture {
  std::string name;
  std::string source;  ///< where the parameters come from, if the file says
  Architecture machine;
  std::vector<std::string> memory_names;  ///< as machine.memories
  std::vector<std::string> axis_names;    ///< as machine.axes
};

}  // namespace nestor
