#include "app/interrupt.h"

#include <csignal>

namespace nestor::app {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set in a signal handler");

extern "C" void note_signal(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& watch_signals() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
  return interrupted;
}

}  // namespace nestor::app
