// The project's one progress line: rewritten in place on a terminal, silent anywhere else.
#pragma once

#include <chrono>
#include <string>

namespace nestor::io {

class ProgressLine {
 public:
  /// Shows on standard error if that is a terminal.
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// Whether now is the time for a new text: at most ten times a second, never without a terminal. Ask before
  /// the text is put together.
  bool due() const { return terminal_ && Clock::now() >= next_; }
  void show(std::string text);
  /// Takes the line away, before other output.
  void clear();

  /// Lines made from now on show nothing.
  static void silence();

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

/// Which of the layers is at hand, the first being number 1.
std::string layer_progress(std::size_t number, std::size_t layers, const std::string& name);

}  // namespace nestor::io
