// Reader and writer of systems of the cnm space: a YAML or JSON file (`kind: cnm`) or a built-in system,
// with values set on the command line. The reader checks the system as a whole: sizes are consistent and no
// required value is missing.
#pragma once

#include <span>
#include <string>

#include "io/document.h"
#include "io/files.h"
#include "model/cnm/system.h"

namespace nestor::io {

/// Reads a file or a built-in system by name, then applies each "PATH=VALUE" of `settings` in order.
Result<cnm::System> read_cnm_system(const std::string& path_or_name, std::span<const std::string> settings);

Result<cnm::System> cnm_system_from(const Node& root);

/// Returns the system with each "PATH=VALUE" of `settings` applied in order.
Result<cnm::System> with_settings(const cnm::System& system, std::span<const std::string> settings);

Json system_to_json(cnm::System system);
/// Returns the text of a file. Reading it yields the same system.
std::string to_text(const cnm::System& system);

/// Returns the JSON Schema of the format.
Json cnm_system_schema();

}  // namespace nestor::io
