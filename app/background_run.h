// Run of a verb on a separate thread, for programs whose calling thread must also handle signals, an
// interpreter or callbacks. Progress reports are queued until the calling thread fetches them.
//
//   BackgroundRun run(io::Verb::map, options, files, true);
//   while (!run.wait())
//     while (const auto progress = run.next_progress()) show(*progress);   // run.stop() ends it early
//   use(run.result());
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/in_process.h"

namespace nestor::app {

std::optional<io::Verb> verb_named(std::string_view name);

/// Options as on the command line, without "--". A switch has the value "true".
using OptionWords = std::vector<std::pair<std::string, std::string>>;
io::MaybeError set_options(io::RunOptions& options, io::Verb verb, const OptionWords& words);

struct Progress {
  std::string text;
  io::ProgressFigures figures;
};

class BackgroundRun {
 public:
  /// Starts the run. If `reports` is false, no progress is reported.
  BackgroundRun(io::Verb verb, const io::RunOptions& options, io::MemoryFiles files, bool reports);
  BackgroundRun(const BackgroundRun&) = delete;
  BackgroundRun& operator=(const BackgroundRun&) = delete;
  /// Stops the run and waits for its end.
  ~BackgroundRun();

  void stop() { stop_.store(true); }
  /// Waits up to 20 ms for the end of the run or for progress. Returns true if the run has ended.
  bool wait();
  std::optional<Progress> next_progress();
  /// Returns the result. It is valid only after the end of the run.
  const HostedResult& result() const { return *result_; }

 private:
  void note(Progress progress);
  void run(io::Verb verb, const io::RunOptions& options);

  std::atomic<bool> stop_ = false;
  Host host_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Progress> progress_;
  std::optional<HostedResult> result_;
  std::thread thread_;  // last member, because the thread uses all other members
};

}  // namespace nestor::app
