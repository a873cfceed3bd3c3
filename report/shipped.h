// Names and descriptions of all shipped data, for `show --list`.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"

namespace nestor::report {

struct ShippedThing {
  std::string name;
  std::string what;
};

std::string shipped_text(const std::vector<ShippedThing>& all);
io::Json shipped_json(const std::vector<ShippedThing>& all);
io::Json shipped_schema();

}  // namespace nestor::report
