// A network of chip operators in the layout of the built-in YAML files: one line per operator.
#pragma once

#include <string>

#include "model/chip/network.h"

namespace nestor::io {

/// The text starts with `comment`, which is one line without '#'.
std::string chip_network_to_yaml(const chip::ChipNetwork& network, const std::string& comment);

}  // namespace nestor::io
