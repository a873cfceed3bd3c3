// Stream of a replay's events, for drawing or checking (report/cim/trace/cim_trace.h writes a Chrome trace).
// Events arrive in the order of the steps that cause them, not in the order of time. The events of one port,
// and those of the array, are in order and do not overlap.
#pragma once

#include "sim/cim/replay.h"

namespace nestor::sim::cim {

enum class TransferKind : std::uint8_t {
  fetch,        ///< a tile of I or W, or the partial sums of the next tile of O
  fetch_ahead,  ///< partial sums of the tile of O after the next one
  write_back,
};

struct TransferEvent {
  Operand operand = Operand::I;
  std::size_t outer = 0;
  std::size_t inner = 0;
  TransferKind kind = TransferKind::fetch;
  Int tile = 0;  ///< number of the tile at the inner memory, from 0
  Int start = 0;
  Int end = 0;
};

struct MvmEvent {
  Int step = 0;
  Int start = 0;
  Int end = 0;
  Int waited = 0;                              ///< cycles of waiting before `start`
  StallCause cause = StallCause::mode_switch;  ///< valid if waited > 0
};

/// Occupation of a buffer by a tile, reported when the tile is released.
struct BufferEvent {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  Int bits = 0;
  Int start = 0;
  Int end = 0;
};

class TimelineSink {
 public:
  virtual ~TimelineSink() = default;
  /// Each function receives one event. Returning false ends the replay early.
  virtual bool on_transfer(const TransferEvent& event) = 0;
  virtual bool on_mvm(const MvmEvent& event) = 0;
  virtual bool on_buffer(const BufferEvent& event) = 0;
};

/// Simulates every step and sends every event to the sink. The figures of the result are complete only if the
/// sink accepts all events; otherwise the status is step_limit.
ReplayResult replay_timeline(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                             TimelineSink& sink, const ReplayOptions& options = {});

}  // namespace nestor::sim::cim
