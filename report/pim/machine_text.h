// A PIM machine as text: its hierarchy with rows and banks, its compute unit and its ports.
#pragma once

#include <string>

#include "io/pim/machine_file.h"

namespace nestor::report {

std::string machine_text(const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
