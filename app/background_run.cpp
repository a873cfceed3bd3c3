#include "app/background_run.h"

#include <chrono>

namespace nestor::app {

std::optional<io::Verb> verb_named(std::string_view name) {
  for (std::size_t i = 0; i < io::verb_count; ++i)
    if (const auto verb = static_cast<io::Verb>(i); io::to_string(verb) == name) return verb;
  return std::nullopt;
}

io::MaybeError set_options(io::RunOptions& options, io::Verb verb, const OptionWords& words) {
  for (const auto& [name, value] : words) {
    const auto* const option = io::find_option(verb, name);
    // set_option returns the message for an unknown name.
    if (auto error =
            option != nullptr ? option->set(options, value) : io::set_option(options, verb, name, value))
      return error;
  }
  return std::nullopt;
}

BackgroundRun::BackgroundRun(io::Verb verb, const io::RunOptions& options, io::MemoryFiles files,
                             bool reports)
    : host_{stop_, std::move(files),
            reports ? io::ProgressSink([this](const auto& text, const auto& figures) {
              note({text, figures});
            })
                    : io::ProgressSink()},
      thread_([this, verb, options] { run(verb, options); }) {}

BackgroundRun::~BackgroundRun() {
  stop();
  thread_.join();
}

bool BackgroundRun::wait() {
  constexpr auto moment = std::chrono::milliseconds(20);
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, moment, [this] { return result_ || !progress_.empty(); });
  return result_.has_value();
}

std::optional<Progress> BackgroundRun::next_progress() {
  const std::lock_guard lock(mutex_);
  if (progress_.empty()) return std::nullopt;
  auto first = std::move(progress_.front());
  progress_.pop_front();
  return first;
}

void BackgroundRun::note(Progress progress) {
  const std::lock_guard lock(mutex_);
  progress_.push_back(std::move(progress));
  changed_.notify_one();
}

void BackgroundRun::run(io::Verb verb, const io::RunOptions& options) {
  auto result = run_in_process(verb, options, host_, shipped_spaces());
  const std::lock_guard lock(mutex_);
  result_ = std::move(result);
  changed_.notify_one();
}

}  // namespace nestor::app
