// Writer of networks of chip operators in the layout of the built-in YAML files: one line per operator.
#pragma once

#include <string>

#include "model/chip/network.h"

namespace nestor::io {

/// Returns the text. Its first line is '#' and `comment`, which must be a single line.
std::string chip_network_to_yaml(const chip::ChipNetwork& network, const std::string& comment);

}  // namespace nestor::io
