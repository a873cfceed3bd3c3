// A value that replaces a program-wide one in one thread for the duration of a scope. A verb that runs inside
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

  /// Returns null outside all such scopes of this thread.
  static T* current() { return innermost; }

 private:
  static inline thread_local T* innermost = nullptr;
  T* before_;
};

}  // namespace nestor
