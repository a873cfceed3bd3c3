// The one stop signal: every loop that may take long asks it now and then whether to end. Deadlines and
// interrupts are behind it (solver/engine/stop_source.h); the embedded core passes it on.
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

/// True once `stop` asks to end; no signal never does.
inline bool is_requested(const StopSignal* stop) { return stop != nullptr && stop->requested(); }

}  // namespace nestor
