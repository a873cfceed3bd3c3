// Crossbar chips and networks of chip operators as human-readable text.
#pragma once

#include <string>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::report {

std::string chip_text(const chip::ChipMachine& machine);

std::string chip_network_text(const chip::ChipNetwork& network);

}  // namespace nestor::report
