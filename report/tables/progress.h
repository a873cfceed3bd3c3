// The project's one progress line: rewritten in place on a terminal, passed to a program that asks for it
// (ThreadOverride<const ProgressSink>), silent anywhere else. Where the run has a log, what the line says
// goes there, too: what is new at once, else once a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "report/tables/search_log.h"

namespace nestor::io {

/// What a progress line says, for programs.
struct ProgressFigures {
  std::string part = {};     ///< the layer, kernel, netlist or network that is searched
  std::size_t finished = 0;  ///< parts
  std::size_t all = 0;       ///< parts; 0 if they are not counted
  std::optional<double> objective = std::nullopt;
  std::optional<double> bound = std::nullopt;
  std::uint64_t work = 0;
};

/// Takes the text of the line and its figures; may be called from any thread of the run.
using ProgressSink = std::function<void(const std::string& text, const ProgressFigures& figures)>;

class ProgressLine {
 public:
  /// Shows on standard error if that is a terminal; where this thread has a sink, there instead. Writes to
  /// the log of this thread.
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// Whether now is the time for a new text: at most ten times a second, never if nobody sees it. Ask
  /// before the text is put together.
  bool due() const { return (terminal_ || sink_ != nullptr || log_ != nullptr) && Clock::now() >= next_; }
  void show(std::string text, const ProgressFigures& figures = {});
  /// For the log alone. Put the text together only if it is_logged().
  bool is_logged() const { return log_ != nullptr; }
  void event(std::string_view text) {
    if (log_ != nullptr) log_->event(text);
  }
  /// Takes the line away, before other output.
  void clear();

  /// Lines made from now on show nothing.
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

/// Which of the layers is at hand, the first being number 1.
std::string layer_progress(std::size_t number, std::size_t layers, const std::string& name);

}  // namespace nestor::io
