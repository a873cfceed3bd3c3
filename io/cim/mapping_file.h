// Reader and writer of mapping files (docs/models/cim.md, section 3): spatial factors per axis; temporal
// loops, outermost first, which state for each operand the memory whose block contains the loop; and
// double-buffered pairs of memory and operand. The reader resolves names in an architecture;
// model/loopnest/rules/legality.h decides whether the mapping is legal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/nest_file.h"
#include "model/workload/named_machine.h"

namespace nestor::io {

/// Parses one mapping, or a list with one mapping per layer in the order of the layers. Also accepts mappings
/// in the form of another tool (io/neighbours/mapping_forms.h).
Result<std::vector<Mapping>> parse_mappings(std::string_view text, const std::string& file,
                                            const NamedArchitecture& architecture,
                                            std::span<const Layer> layers);
Result<std::vector<Mapping>> read_mappings(const std::string& path, const NamedArchitecture& architecture,
                                           std::span<const Layer> layers);

/// Reads a mapping that is embedded in another document. Loops with factor 1 are dropped.
Mapping read_mapping_node(const Node& node, const NamedArchitecture& architecture, Reading& reading);

Json mapping_to_json(const Mapping& mapping, const NamedArchitecture& architecture);
Json mapping_schema();
/// Schema of a file, which has one mapping or a list of them.
Json mapping_file_schema();

}  // namespace nestor::io
