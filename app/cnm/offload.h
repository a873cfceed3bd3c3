// nestor map for programs of several operations, or for several systems: places each operation on a system.
#pragma once

#include "app/space.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::app::cnm_space {

/// True if the input is a program, or --arch names the host or several systems.
bool is_placement(const io::RunOptions& options);

/// Maps the operations onto each system and places each operation on one of them. `request` specifies the
/// search for one operation on one system.
io::Result<ExitStatus> place(const io::RunOptions& options, const cnm::MapRequest& request);

}  // namespace nestor::app::cnm_space
