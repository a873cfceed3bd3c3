// A network of chip operators as the YAML that ships: one line per operator.
#pragma once

#include <string>

#include "model/chip/network.h"

namespace nestor::io {

/// `comment` goes in front, one line of text without '#'.
std::string chip_network_to_yaml(const chip::ChipNetwork& network, const std::string& comment);

}  // namespace nestor::io
