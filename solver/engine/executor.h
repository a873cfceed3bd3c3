// Executors that run tasks in parallel. Behind one small interface, the same code runs on oneTBB (the
// default), on plain std::thread (because ThreadSanitizer cannot analyse the distribution's TBB) or serially.
// run(count, task) calls task(i) once for each i in [0, count), in any order, and returns when all calls have
// returned. Callers must not let results depend on the order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace nestor {

class Executor {
 public:
  using Task = std::function<void(std::size_t)>;

  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  virtual void run(std::size_t count, const Task& task) = 0;
  virtual int threads() const = 0;
};

enum class ExecutorKind { tbb, std_thread, serial };

/// Creates an executor of `threads` threads (0: one per hardware thread). With one thread or kind serial,
/// tasks run in the caller's thread.
std::unique_ptr<Executor> make_executor(ExecutorKind kind, int threads);

}  // namespace nestor
