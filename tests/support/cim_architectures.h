// Names of the shipped architectures of the cim space. Architectures of other spaces are in the same folder
// and have another `kind`.
#pragma once

#include <string>
#include <vector>

#include "io/document.h"
#include "io/find_data.h"

namespace nestor::tests {

inline std::vector<std::string> shipped_cim_architectures() {
  std::vector<std::string> names;
  for (const auto& name : io::shipped_names(io::DataKind::architecture)) {
    const auto path = io::find_data(io::DataKind::architecture, name);
    const auto document = io::Document::read(path.value().string());
    const auto kind = document.value().root().find("kind");
    if (!kind || kind->text() == "cim") names.push_back(name);
  }
  return names;
}

}  // namespace nestor::tests
