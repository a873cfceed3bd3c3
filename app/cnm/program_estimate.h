// nestor estimate and evaluate for programs of several operations on one system.
#pragma once

#include "app/space.h"

namespace nestor::app::cnm_space {

/// Estimates the program under the mappings of --mapping. Without the option, every operation runs on a
/// single unit.
io::Result<ExitStatus> estimate_program(const io::RunOptions& options, io::Verb verb);

}  // namespace nestor::app::cnm_space
