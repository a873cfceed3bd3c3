// Ctrl-C and SIGTERM as a flag that a long run polls. A second signal ends the program as usual. A run inside
// another program (ThreadOverride<const HostedRun>) uses the flag of that program instead.
#pragma once

#include <atomic>
#include <chrono>

namespace nestor::app {

struct HostedRun {
  const std::atomic<bool>& stop;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// Returns the time when the program or the hosted run began. Time limits start there, so they include the
/// time for reading inputs.
std::chrono::steady_clock::time_point program_start();

/// From the first call on, SIGINT and SIGTERM set the flag instead of ending the program. A hosted run uses
/// the flag of its host, and its threads inherit it from the thread in which the run began.
const std::atomic<bool>& watch_signals();

}  // namespace nestor::app
