// Reader and writer of networks of chip operators (docs/models/chip.md, section 2; `kind: chip-network`), in
// JSON or YAML.
#pragma once

#include <string>
#include <string_view>

#include "io/fields.h"
#include "io/find_data.h"
#include "model/chip/network.h"

namespace nestor::io {

/// The built-in networks of chip operators.
inline constexpr DataKind chip_networks = {"networks/chip", "network"};

/// The function that an operator computes (model/chip/function.h). Costs do not depend on it, so a file may
/// omit it.
void describe_chip_function(Fields& fields, chip::Function& function);

Result<chip::ChipNetwork> parse_chip_network(std::string_view text, const std::string& file);
chip::ChipNetwork read_chip_network_node(const Node& node, Reading& reading);

Json chip_network_to_json(chip::ChipNetwork network);
/// Returns the JSON Schema of the format.
Json chip_network_schema();

}  // namespace nestor::io
