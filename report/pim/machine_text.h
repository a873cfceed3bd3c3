// A PIM machine as a person reads it: its hierarchy with rows and banks, its compute unit and its ports.
#pragma once

#include <string>

#include "io/pim/machine_file.h"

namespace nestor::io::pim {

std::string machine_text(const NamedMachine& machine);

}  // namespace nestor::io::pim
