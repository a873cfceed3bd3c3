// A system of the cnm space from a YAML or JSON file (`kind: cnm`), or one that ships, with values set on the
// command line; and back as text. What is read is checked as a whole: sizes fit together and no time is
// missing.
#pragma once

#include <span>
#include <string>

#include "io/document.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// A file or the name of a system that ships, then each "PATH=VALUE" of `settings` in order.
Result<cnm::System> read_cnm_system(const std::string& path_or_name, std::span<const std::string> settings);

Result<cnm::System> cnm_system_from(const Node& root);

/// A file that reads back to the same system.
std::string to_text(const cnm::System& system);

}  // namespace nestor::io
