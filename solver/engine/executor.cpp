#include "solver/engine/executor.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace nestor {
namespace {

class SerialExecutor final : public Executor {
 public:
  void run(std::size_t count, const Task& task) override {
    for (std::size_t i = 0; i < count; ++i) task(i);
  }
  int threads() const override { return 1; }
};

class TbbExecutor final : public Executor {
 public:
  // `control_` allows tests to request more threads than the machine has.
  explicit TbbExecutor(int threads)
      : threads_(threads),
        control_(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena_(threads) {}

  void run(std::size_t count, const Task& task) override {
    const auto loop = [&] {
      oneapi::tbb::parallel_for(
          oneapi::tbb::blocked_range<std::size_t>(0, count, 1),
          [&](const oneapi::tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i != range.end(); ++i) task(i);
          },
          oneapi::tbb::simple_partitioner());
    };
    // While a thread waits for this loop, it may run tasks of the loop, but must not start tasks of an
    // enclosing loop.
    arena_.execute([&] { oneapi::tbb::this_task_arena::isolate(loop); });
  }
  int threads() const override { return threads_; }

 private:
  int threads_;
  oneapi::tbb::global_control control_;
  oneapi::tbb::task_arena arena_;
};

// Starts new threads for each run. It is meant for ThreadSanitizer, not for benchmarks.
class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(int threads) : threads_(threads) {}

  void run(std::size_t count, const Task& task) override {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) task(i);
    };
    const auto helpers = std::min(static_cast<std::size_t>(threads_ - 1), count == 0 ? 0 : count - 1);
    std::vector<std::thread> others;
    others.reserve(helpers);
    for (std::size_t i = 0; i < helpers; ++i) others.emplace_back(work);
    work();
    for (auto& thread : others) thread.join();
  }
  int threads() const override { return threads_; }

 private:
  int threads_;
};

// ThreadSanitizer does not know the synchronization inside the distribution's TBB and would report races.
#if defined(__SANITIZE_THREAD__)
constexpr bool thread_sanitizer = true;
#elif defined(__has_feature)
constexpr bool thread_sanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool thread_sanitizer = false;
#endif

}  // namespace

std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (kind == ExecutorKind::serial || threads == 1) return std::make_unique<SerialExecutor>();
  if (kind == ExecutorKind::std_thread || thread_sanitizer) return std::make_unique<ThreadExecutor>(threads);
  return std::make_unique<TbbExecutor>(threads);
}

}  // namespace nestor
