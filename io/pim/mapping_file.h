// Reader and writer of mappings of the pim space (docs/models/pim.md, section 2): the form of all loop-nest
// spaces, with the layout of operands in DRAM (`layout`) and the pairs (memory, operand) for which the memory
// stores the operand although its block there has no loop (`stored`).
#pragma once

#include <span>

#include "io/nest_file.h"
#include "io/pim/machine_file.h"
#include "model/pim/mapping.h"

namespace nestor::io::pim {

nestor::pim::PimMapping read_mapping_node(const Node& node, const NamedPimMachine& machine, Reading& reading);
/// Parses one mapping, or a list in the order of the layers.
Result<std::vector<nestor::pim::PimMapping>> parse_mappings(std::string_view text, const std::string& file,
                                                            const NamedPimMachine& machine,
                                                            std::span<const Layer> layers);
Result<std::vector<nestor::pim::PimMapping>> read_mappings(const std::string& path,
                                                           const NamedPimMachine& machine,
                                                           std::span<const Layer> layers);

Json mapping_to_json(const nestor::pim::PimMapping& mapping, const NamedPimMachine& machine);
Json mapping_schema();
/// Describes a layout, as in "row_aligned 4 x 8".
std::string layout_text(const nestor::pim::Layout& layout, Operand operand);

}  // namespace nestor::io::pim
