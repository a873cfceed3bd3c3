// Common stop signal: every long-running loop polls it to learn whether it should stop. Deadlines and
// interrupts implement it (solver/engine/stop_source.h); the embedded core only passes it on.
#pragma once

namespace nestor {

class StopSignal {
 public:
  virtual bool requested() const = 0;

 protected:
  StopSignal() = default;
  StopSignal(const StopSignal&) = default;
  StopSignal& operator=(const StopSignal&) = default;
  ~StopSignal() = default;
};

/// True once `stop` requests a stop. A null signal never does.
inline bool is_requested(const StopSignal* stop) { return stop != nullptr && stop->requested(); }

}  // namespace nestor
