// Common stop signal: every long-running loop polls it and stops when a stop is requested.
// solver/engine/stop_source.h implements it for deadlines and interrupts; the embedded core only forwards it.
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

/// True if `stop` requests a stop. A null pointer never does.
inline bool is_requested(const StopSignal* stop) { return stop != nullptr && stop->requested(); }

}  // namespace nestor
