// Replacement of a program-wide value in one thread for the duration of a scope. A verb that runs inside
// another program (app/in_process.h) redirects its output, its inputs and its stop flag this way.
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

  /// Returns the replacement of the innermost scope in this thread, or null outside all scopes.
  static T* current() { return innermost; }

 private:
  static inline thread_local T* innermost = nullptr;
  T* before_;
};

}  // namespace nestor
