// Memory limit of a run: the value of --memory-limit, or half of the available memory.
#pragma once

#include <cstddef>

#include "io/options.h"

namespace nestor::app {

/// Returns the bytes that this process could use: the minimum of available RAM, the limits of its control
/// groups, and the unused part of its limit on address space.
std::size_t available_memory();

/// Returns the limit for the whole process in bytes: --memory-limit, or half of the available memory, but
/// then at least 16 MiB.
std::size_t memory_limit(const io::RunOptions& options);

}  // namespace nestor::app
