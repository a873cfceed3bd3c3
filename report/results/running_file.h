// A result file that is kept up to date during a run, so that finished parts survive an interruption. The
// file is replaced atomically. The next write waits for a tenth of a second or for ten times the duration of
// the last write, whichever is longer. Otherwise, many small layers would take quadratic time. A pipe or
// other special file receives the result once, at the end.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "io/error.h"

namespace nestor::io {

class RunningFile {
 public:
  /// With an empty path, nothing is written.
  explicit RunningFile(std::filesystem::path path);

  /// Notes that the file lacks a finished part.
  void mark_outdated() { outdated_ = true; }

  using Text = std::function<std::string()>;
  /// Writes the file if it is outdated and the next write is due.
  MaybeError catch_up(const Text& text);
  /// Ends the run: writes in any case, to another place if necessary (write_somewhere).
  MaybeError finish(const Text& text) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path path_;
  bool outdated_ = false;
  Clock::time_point next_;
};

}  // namespace nestor::io
