// Memory limit of a run: the value of --memory-limit, or half of what this machine offers.
#pragma once

#include <cstddef>

#include "io/options.h"

namespace nestor::app {

/// Bytes that this process could have: the least of available RAM, the limits of its control groups and what
/// is left of its address space.
std::size_t available_memory();

/// Bytes of the whole process.
std::size_t memory_limit(const io::RunOptions& options);

}  // namespace nestor::app
