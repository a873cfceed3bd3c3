// Reader and writer of architectures of kind `chip` (docs/models/chip.md, section 1), in YAML or JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/checked_reader.h"
#include "io/files.h"
#include "model/chip/machine.h"

namespace nestor::io {

Result<chip::ChipMachine> parse_chip_machine(std::string_view text, const std::string& file);
chip::ChipMachine read_chip_machine_node(const Node& node, Reading& reading);
/// Reads an architecture by path, or by the name of a built-in one (find_data.h).
Result<chip::ChipMachine> read_chip_machine(const std::string& path_or_name,
                                            std::span<const std::string> settings = {});

Json chip_machine_to_json(chip::ChipMachine machine);
/// Returns the JSON Schema of the format.
Json chip_machine_schema();

}  // namespace nestor::io
