// A value that one thread uses in place of the program's own for the length of a scope. A verb that runs
// inside another program (app/in_process.h) redirects its output, its inputs and its stop flag this way.
#pragma once

#include <utility>

namespace nestor {

template <typename T>
class ThreadOverride {
 public:
  explicit ThreadOverride(T& value) : before_(std::exchange(innermost, &value)) {}
  ThreadOverride(const ThreadOverride&) = delete;
  ThreadOverride& operator=(const ThreadOverride&) = delete;
  ~ThreadOverride() { innermost = before_; }

  /// Null outside of all scopes of this thread.
  static T* current() { return innermost; }

 private:
  static inline thread_local T* innermost = nullptr;
  T* before_;
};

}  // namespace nestor
