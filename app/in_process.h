// A verb inside another program: nothing is printed, signals are left alone, and the JSON of the result is
// returned. Runs in several threads do not affect each other.
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

/// What the program provides. It outlives the run.
struct Host {
  const std::atomic<bool>& stop;        ///< ends the run; results found so far are returned
  io::MemoryFiles files = {};           ///< inputs that are not on disk
  io::ProgressSink progress = nullptr;  ///< may be empty; called from threads of the run
};

struct HostedResult {
  io::Result<ExitStatus> end;
  std::string json;                  ///< as --json writes it; also of some runs that end in an error
  std::vector<std::string> remarks;  ///< what the command line says on standard error
};

/// "usage", "input" and so on, for errors that a program receives.
const char* word_of(io::ErrorKind kind);

/// Usage errors: standard input and output, which belong to the program.
HostedResult run_in_process(io::Verb verb, const io::RunOptions& options, const Host& host, Spaces spaces);

}  // namespace nestor::app
