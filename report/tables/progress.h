// The project's only progress line. It is rewritten in place on a terminal, passed to a program that requests
// it (ThreadOverride<const ProgressSink>), and silent elsewhere. If the run has a log, the line is also
// logged: new information immediately, the rest once a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "report/tables/search_log.h"

namespace nestor::io {

/// The content of a progress line, for programs.
struct ProgressFigures {
  std::string part = {};     ///< the layer, kernel, netlist or network of the current search
  std::size_t finished = 0;  ///< number of finished parts
  std::size_t all = 0;       ///< total number of parts; 0 if unknown
  std::optional<double> objective = std::nullopt;
  std::optional<double> bound = std::nullopt;
  std::uint64_t work = 0;
};

/// Receives the text of the line and its figures. It can be called from any thread of the run.
using ProgressSink = std::function<void(const std::string& text, const ProgressFigures& figures)>;

class ProgressLine {
 public:
  /// Passes the line to the sink of this thread if it has one. Otherwise, shows it on standard error if that
  /// is a terminal. Also writes to the log of this thread if it has one.
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// True if a new text is due: at most ten times a second, and never if no output displays it. Must be
  /// called before the text is formatted.
  bool due() const { return (terminal_ || sink_ != nullptr || log_ != nullptr) && Clock::now() >= next_; }
  void show(std::string text, const ProgressFigures& figures = {});
  /// Functions for the log only. Callers should format the text only if is_logged() is true.
  bool is_logged() const { return log_ != nullptr; }
  void event(std::string_view text) {
    if (log_ != nullptr) log_->event(text);
  }
  /// Removes the line before other output.
  void clear();

  /// Lines that are constructed after this call show nothing.
  static void silence();

 private:
  using Clock = std::chrono::steady_clock;

  void write_log(const std::string& text, const ProgressFigures& figures);

  const ProgressSink* sink_;
  SearchLog* log_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point next_;
  ProgressFigures logged_;
  Clock::time_point next_log_;
};

/// Returns the text for the current layer. The first layer is number 1.
std::string layer_progress(std::size_t number, std::size_t layers, const std::string& name);

}  // namespace nestor::io
