// Work on several threads, with what it throws brought back.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nestor::check {

/// Calls `work` on so many threads, this one among them. If one throws, `stop` is to end the others, and the
/// first exception is thrown here.
template <typename Work, typename Stop>
void in_parallel(std::size_t threads, const Work& work, const Stop& stop) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      stop();
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(guarded);
  guarded();
  for (auto& thread : others) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace nestor::check
