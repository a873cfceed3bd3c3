// Ctrl-C and a polite kill, as a flag that a long run polls. A second signal ends the program the usual way.
#pragma once

#include <atomic>
#include <chrono>

namespace nestor::app {

/// When the program began: limits on time count from there, reading included.
std::chrono::steady_clock::time_point program_start();

/// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program.
const std::atomic<bool>& watch_signals();

}  // namespace nestor::app
