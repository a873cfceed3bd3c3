// Ctrl-C and a polite kill, as a flag that a long run polls. A second signal ends the program the usual way.
// A run inside another program (ThreadOverride<const HostedRun>) has that program's flag instead.
#pragma once

#include <atomic>
#include <chrono>

namespace nestor::app {

struct HostedRun {
  const std::atomic<bool>& stop;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// When the program or the hosted run began: limits on time count from there, reading included.
std::chrono::steady_clock::time_point program_start();

/// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program. The flag of a
/// hosted run is its host's; the threads of the run get it from the one that the run began in.
const std::atomic<bool>& watch_signals();

}  // namespace nestor::app
