// What map is asked on a PIM machine, from its options; verify --recheck asks it again.
#pragma once

#include "io/options.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/map_layer.h"

namespace nestor::app::pim_space {

io::Result<mapper::pim::PimRequest> request_of(const io::RunOptions& options,
                                               const io::pim::NamedPimMachine& machine);

}  // namespace nestor::app::pim_space
