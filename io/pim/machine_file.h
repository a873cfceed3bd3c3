// Reader and writer of PIM machines (docs/models/pim.md, section 1): the hierarchy that all loop-nest spaces
// use, with the keys that only the pim kind has.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "io/pim/keys/pim_keys.h"
#include "model/pim/machine.h"
#include "model/workload/named_machine.h"

namespace nestor::io::pim {

/// A machine with the names of its parts in the file.
using NamedPimMachine = nestor::NamedMachine<nestor::pim::PimMachine>;

/// Reads a machine by path, or by the name of a built-in one.
Result<NamedPimMachine> read_machine(const std::string& path_or_name,
                                     std::span<const std::string> settings = {});
Result<NamedPimMachine> parse_machine(std::string_view text, const std::string& file);
NamedPimMachine read_machine_node(const Node& node, Reading& reading);

Json machine_to_json(NamedPimMachine machine);
/// Returns the JSON Schema of the format.
Json machine_schema();

}  // namespace nestor::io::pim
