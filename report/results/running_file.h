// A result file that is kept up to date while a run goes on: what is finished survives an interruption. The
// file is replaced (atomically) unless the last time is younger than a tenth of a second or ten times what
// it took, so that many small layers do not cost quadratic time; what is no regular file, a pipe for
// instance, takes the result once, at the end.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "io/error.h"

namespace nestor::io {

class RunningFile {
 public:
  /// An empty path writes nothing.
  explicit RunningFile(std::filesystem::path path);

  /// Something is finished that the file has not.
  void fall_behind() { behind_ = true; }

  using Text = std::function<std::string()>;
  /// Writes if there is need for it and it is time.
  MaybeError catch_up(const Text& text);
  /// The run has ended: writes in any case, elsewhere if it has to (write_somewhere).
  MaybeError finish(const Text& text) const;

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path path_;
  bool behind_ = false;
  Clock::time_point next_;
};

}  // namespace nestor::io
