// Execution of a verb inside another program. Nothing is printed, signals are not handled, and the result is
// returned as JSON. Runs in several threads do not affect each other.
//
//   std::atomic<bool> stop = false;
//   const auto run = run_in_process(io::Verb::map, options, {stop}, shipped_spaces());
//   if (run.end) use(run.json);
#pragma once

#include <atomic>

#include "app/space.h"
#include "io/memory_files.h"
#include "report/tables/progress.h"

namespace nestor::app {

/// Flags, files and callbacks that the calling program provides. They must outlive the run.
struct Host {
  const std::atomic<bool>& stop;        ///< set to true to end the run with the results found so far
  io::MemoryFiles files = {};           ///< inputs that are not on disk
  io::ProgressSink progress = nullptr;  ///< callback, or empty; called from threads of the run
};

struct HostedResult {
  io::Result<ExitStatus> end;
  std::string json;                  ///< result as --json writes it; some failed runs also set it
  std::vector<std::string> remarks;  ///< the remarks that the command line prints on standard error
};

/// Returns the word that a host program receives for a kind of error, such as "usage" or "input".
const char* word_of(io::ErrorKind kind);

/// Runs a verb. Standard input and output belong to the calling program, so using them is a usage error.
HostedResult run_in_process(io::Verb verb, const io::RunOptions& options, const Host& host, Spaces spaces);

}  // namespace nestor::app
