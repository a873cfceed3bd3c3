#include "app/interrupt.h"

#include <csignal>

#include "base/thread_override.h"

namespace nestor::app {
namespace {

std::atomic<bool> interrupted{false};
const auto start = std::chrono::steady_clock::now();
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

extern "C" void note_signal(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

// Installs the handler of a signal, unless the signal is ignored at the start (nohup, a background job of a
// shell).
void watch(int number) {
  struct sigaction now {};
  if (sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) return;
  std::signal(number, note_signal);
}

}  // namespace

std::chrono::steady_clock::time_point program_start() {
  const auto* const hosted = ThreadOverride<const HostedRun>::current();
  return hosted != nullptr ? hosted->begin : start;
}

const std::atomic<bool>& watch_signals() {
  if (const auto* const hosted = ThreadOverride<const HostedRun>::current()) return hosted->stop;
  watch(SIGINT);
  watch(SIGTERM);
  return interrupted;
}

}  // namespace nestor::app
