// Reader and writer of architecture files (docs/models/cim.md, section 2): a hierarchy of memories and
// spatial axes from the outermost memory to the compute array, in YAML or JSON. The reader performs all
// checks that do not depend on a layer. docs/formats.md describes the format;
// data/schema/architecture.schema.json is its schema. The reader also accepts machines of ZigZag, Timeloop
// and AccelForge (io/neighbours).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

Result<NamedArchitecture> parse_architecture(std::string_view text, const std::string& file);

/// Reads an architecture that is embedded in another document (a result file, a test case).
NamedArchitecture read_architecture_node(const Node& node, Reading& reading);

/// Reads an architecture by path, or by the name of a built-in one (find_data.h).
Result<NamedArchitecture> read_architecture(const std::string& path_or_name,
                                            std::span<const std::string> settings = {});

Json architecture_to_json(NamedArchitecture architecture);
/// Returns the JSON Schema of the format.
Json architecture_schema();

}  // namespace nestor::io
