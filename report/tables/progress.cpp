#include "report/tables/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "base/thread_override.h"
#include "io/printable.h"

namespace nestor::io {
namespace {

constexpr std::chrono::milliseconds interval{100};

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col : 80;
}

bool silent = false;

}  // namespace

void ProgressLine::silence() { silent = true; }

ProgressLine::ProgressLine()
    : sink_(ThreadOverride<const ProgressSink>::current()),
      log_(ThreadOverride<SearchLog>::current()),
      terminal_(sink_ == nullptr && !silent && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + interval),
      next_log_(next_) {}

void ProgressLine::write_log(const std::string& text, const ProgressFigures& figures) {
  const bool is_new = figures.part != logged_.part || figures.objective != logged_.objective ||
                      figures.bound != logged_.bound;
  const auto now = Clock::now();
  next_ = now + interval;
  if (!is_new && now < next_log_) return;
  log_->event(text);
  logged_ = figures;
  next_log_ = now + std::chrono::seconds(1);
}

void ProgressLine::show(std::string text, const ProgressFigures& figures) {
  if (log_ != nullptr) write_log(text, figures);
  if (sink_ != nullptr) {
    next_ = Clock::now() + interval;
    (*sink_)(text, figures);
  }
  if (!terminal_) return;
  text = printable(text);
  if (text.size() >= terminal_width())
    text.resize(terminal_width() - 1);  // a longer line could not be erased
  std::fputs(("\r\x1b[K" + text).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + interval;
}

void ProgressLine::clear() {
  if (!shown_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

std::string layer_progress(std::size_t number, std::size_t layers, const std::string& name) {
  return fmt::format("layer {} of {}, {}", number, layers, name);
}

}  // namespace nestor::io
