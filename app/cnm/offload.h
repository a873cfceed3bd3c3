// nestor map for programs of several operations, or over several systems: where each operation runs.
#pragma once

#include "app/space.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::app::cnm_space {

/// True if the input is a program, or --arch names several systems.
bool is_placement(const io::RunOptions& options);

/// `request`: how an operation is mapped onto one system.
io::Result<ExitStatus> place(const io::RunOptions& options, const cnm::MapRequest& request);

}  // namespace nestor::app::cnm_space
