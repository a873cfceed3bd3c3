// Ctrl-C and a polite kill, as a flag that a long run polls. A second signal ends the program the usual way.
#pragma once

#include <atomic>

namespace nestor::app {

/// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program.
const std::atomic<bool>& watch_signals();

}  // namespace nestor::app
