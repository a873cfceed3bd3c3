// The simulated machine between two steps, and the effect of one step. Internal to sim.
//
// There is no event queue. In the order of the steps, every event depends only on earlier events. The start
// time of a transfer is therefore known when it is issued, and the state consists of a few times.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "sim/cim/plan.h"
#include "sim/cim/replay.h"
#include "sim/cim/timeline.h"

namespace nestor::sim::cim {

/// Buffer of I or W at one level, and its port.
struct InputBuffer {
  Int port = 0;   ///< end of the last fetch, when the current tile arrived
  Int freed = 0;  ///< time when the tile before the current one was released
  Int transfer = 0;
  bool doubled = false;
};

/// Buffer of O at one level, and its port.
struct OutputBuffer {
  Int port = 0;     ///< end of the last transfer; if `ahead`, this transfer is the fetch of the next tile
  Int written = 0;  ///< end of the write-back of the tile before the current one
  Int transfer = 0;
  bool doubled = false;
  bool ahead = false;         ///< true if the fetch of the next tile's partial sums was issued
  bool next_returns = false;  ///< true if the loop just outside the buffer's content revisits outputs
};

inline constexpr std::size_t max_levels = operand_count * max_memories;

/// Sums over a replay. Each sum grows by the same amount whenever the same sequence of steps runs from the
/// same state.
struct Tally {
  std::array<Int, stall_cause_count> stalls{};
  std::array<std::array<Int, max_memories>, operand_count> buffer_cycles{};
  std::array<Int, max_memories> returns{};  ///< number of fetches of partial sums, per level of O
};

/// Trace that ignores all events at no cost.
struct NoTrace {
  static constexpr bool active = false;
};

/// Trace that passes events to a sink and adds tile and step numbers, which the machine does not need.
class SinkTrace {
 public:
  static constexpr bool active = true;
  SinkTrace(const Plan& plan, TimelineSink& sink) : plan_(plan), sink_(sink) {}
  void transfer(Operand operand, std::size_t level, TransferKind kind, Int end);
  void mvm(Int start, Int end, Int waited, StallCause cause);
  void occupied(Operand operand, std::size_t level, Int begin);
  void released(Operand operand, std::size_t level, Int end);
  bool takes_more() const { return takes_more_; }

 private:
  const Plan& plan_;
  TimelineSink& sink_;
  std::array<std::array<Int, max_memories>, operand_count> tiles_done_{};
  std::array<std::array<Int, max_memories>, operand_count> occupied_since_{};
  Int steps_done_ = 0;
  bool takes_more_ = true;
};

/// Tiles that change from one step to the next.
struct Change {
  /// Per operand, the outermost level that gets a new tile. All levels further inside also get a new tile.
  std::array<std::uint8_t, operand_count> from{};
  bool revisit = false;  ///< true if the new output tiles were visited before
  /// The level of O, if any, that gets a new tile in every iteration of the advancing loop.
  std::uint8_t edge_level = no_level;
  /// True if the next tile of `edge_level` was visited before and is part of the same source tile.
  bool edge_returns = false;

  static constexpr std::uint8_t no_level = 255;
};

class Machine {
 public:
  explicit Machine(const Plan& plan);

  /// Runs the first step, in which every level gets its first tile.
  template <typename Trace>
  void start(const Change& change, Trace& trace) {
    step<true>(change, trace);
  }
  /// Releases the tiles that change, fetches the next ones, and runs the next MVM.
  template <typename Trace>
  void advance(const Change& change, Trace& trace) {
    step<false>(change, trace);
  }
  /// Writes the last tiles back to the home memory after the last step. Returns the time of the last event.
  template <typename Trace>
  Int finish(Trace& trace);

  Int now() const { return now_; }  ///< end of the last MVM
  void set_now(Int now) { now_ = now; }
  Tally& tally() { return tally_; }
  const Tally& tally() const { return tally_; }
  bool overlapped(Operand operand, std::size_t level) const { return overlapped_[index_of(operand)][level]; }

  /// Writes the state that determines all further events while only levels from `from` inward change. Times
  /// are relative to now(). Each time is replaced by the latest time that has the same consequences. Returns
  /// the number of values written.
  std::size_t capture(const std::array<std::uint8_t, operand_count>& from, Int* state) const;
  /// Restores a captured state relative to the current now().
  void restore(const std::array<std::uint8_t, operand_count>& from, const Int* state);
  static constexpr std::size_t max_state = 3 * max_levels;

 private:
  template <bool first, typename Trace>
  void step(const Change& change, Trace& trace);
  template <typename Trace>
  void write_back(std::size_t from, Trace& trace);
  template <bool first, typename Trace>
  Int fetch_inputs(Operand operand, std::size_t from, Trace& trace);
  template <bool first, typename Trace>
  Int ready_outputs(const Change& change, Trace& trace);
  template <typename Trace>
  Int multiply(Int input, Int weight, Int output, bool revisit, Trace& trace);
  template <bool first, typename Trace>
  void occupy_outputs(const Change& change, Int mvm_start, Trace& trace);

  static constexpr Int never = std::numeric_limits<Int>::min();
  static constexpr std::size_t output = index_of(Operand::O);

  const Int mvm_cycles_;
  const StallCause weight_stall_;
  Int now_ = 0;
  std::array<FixedVector<InputBuffer, max_memories>, 2> inputs_;  ///< I, W
  FixedVector<OutputBuffer, max_memories> outputs_;
  /// Times within a step, per level of O: the end of the fetch ahead, the end of the write-back, and the time
  /// from which the new tile occupies its buffer (`never`: from the MVM on).
  std::array<Int, max_memories> fetched_{};
  std::array<Int, max_memories> left_{};
  std::array<Int, max_memories> begin_{};
  Tally tally_;
  std::array<std::array<bool, max_memories>, operand_count> overlapped_{};
};

template <bool first, typename Trace>
void Machine::step(const Change& change, Trace& trace) {
  if constexpr (!first) write_back(change.from[output], trace);
  const Int input = fetch_inputs<first>(Operand::I, change.from[index_of(Operand::I)], trace);
  const Int weight = fetch_inputs<first>(Operand::W, change.from[index_of(Operand::W)], trace);
  const Int room = ready_outputs<first>(change, trace);
  const Int mvm_start = multiply(input, weight, room, change.revisit, trace);
  occupy_outputs<first>(change, mvm_start, trace);
}

/// Writes tiles back from the inside out. The write-back of a tile starts when that of its last inner tile
/// has ended and the port is free.
template <typename Trace>
void Machine::write_back(std::size_t from, Trace& trace) {
  Int inside_done = now_;
  for (std::size_t j = outputs_.size(); j-- > from;) {
    OutputBuffer& buffer = outputs_[j];
    fetched_[j] = buffer.port;
    buffer.port = std::max(buffer.port, inside_done) + buffer.transfer;
    left_[j] = inside_done = buffer.port;
    if constexpr (Trace::active) trace.transfer(Operand::O, j, TransferKind::write_back, buffer.port);
  }
}

/// Returns the time when a new tile arrives in the innermost memory, or `never` if the tile there stays.
template <bool first, typename Trace>
Int Machine::fetch_inputs(Operand operand, std::size_t from, Trace& trace) {
  auto& chain = inputs_[index_of(operand)];
  Int arrival = never;  // a source tile that does not change arrived before the port's last fetch
  for (std::size_t j = from; j < chain.size(); ++j) {
    InputBuffer& buffer = chain[j];
    const Int released = j + 1 < chain.size() ? chain[j + 1].port : now_;  // release of the previous tile
    const Int free = buffer.doubled ? buffer.freed : released;
    buffer.freed = released;
    const Int begin = std::max({buffer.port, arrival, free});
    if constexpr (!first) {
      tally_.buffer_cycles[index_of(operand)][j] += released - begin;
      overlapped_[index_of(operand)][j] |= begin < released;
    } else {
      tally_.buffer_cycles[index_of(operand)][j] -= begin;
    }
    arrival = buffer.port = begin + buffer.transfer;
    if constexpr (Trace::active) {
      if (!first) trace.released(operand, j, released);
      trace.occupied(operand, j, begin);
      trace.transfer(operand, j, TransferKind::fetch, arrival);
    }
  }
  return arrival;
}

/// Returns the time when the innermost output tile is ready, or `never` if it does not change.
template <bool first, typename Trace>
Int Machine::ready_outputs(const Change& change, Trace& trace) {
  Int ready = never;  // a source tile that does not change was ready before the last MVM
  for (std::size_t j = change.from[output]; j < outputs_.size(); ++j) {
    OutputBuffer& buffer = outputs_[j];
    const Int source_ready = ready;
    const Int just_left = first ? 0 : left_[j];
    const Int room = buffer.doubled ? buffer.written : just_left;
    buffer.written = just_left;
    if (!change.revisit) {
      ready = std::max(room, source_ready);
      begin_[j] = never;
    } else {
      if (buffer.ahead) {
        ready = fetched_[j];
      } else {
        ready = buffer.port = std::max(buffer.port, source_ready) + buffer.transfer;
        ++tally_.returns[j];
        if constexpr (Trace::active) trace.transfer(Operand::O, j, TransferKind::fetch, ready);
      }
      begin_[j] = ready - buffer.transfer;
    }
    const bool returns = j == change.edge_level ? change.edge_returns : change.revisit || buffer.next_returns;
    buffer.ahead = buffer.doubled && returns;
    if (buffer.ahead) {
      buffer.port = std::max(buffer.port, source_ready) + buffer.transfer;
      ++tally_.returns[j];
      if constexpr (Trace::active) trace.transfer(Operand::O, j, TransferKind::fetch_ahead, buffer.port);
    }
  }
  return ready;
}

template <typename Trace>
Int Machine::multiply(Int input, Int weight, Int room, bool revisit, Trace& trace) {
  const Int start = std::max({now_, input, weight, room});
  const Int waited = start - now_;
  StallCause cause = weight_stall_;
  if (waited > 0) {
    if (start != weight)
      cause = start == input ? StallCause::inputs
              : revisit      ? StallCause::partial_sums
                             : StallCause::write_back;
    tally_.stalls[static_cast<std::size_t>(cause)] += waited;
  }
  now_ = start + mvm_cycles_;
  if constexpr (Trace::active) trace.mvm(start, now_, waited, cause);
  return start;
}

template <bool first, typename Trace>
void Machine::occupy_outputs(const Change& change, Int mvm_start, [[maybe_unused]] Trace& trace) {
  for (std::size_t j = change.from[output]; j < outputs_.size(); ++j) {
    const Int begin = begin_[j] == never ? mvm_start : begin_[j];
    tally_.buffer_cycles[output][j] += (first ? 0 : left_[j]) - begin;
    if constexpr (!first) overlapped_[output][j] |= begin < left_[j];
    if constexpr (Trace::active) {
      if (!first) trace.released(Operand::O, j, left_[j]);
      trace.occupied(Operand::O, j, begin);
    }
  }
}

template <typename Trace>
Int Machine::finish(Trace& trace) {
  Int end = now_;
  write_back(0, trace);
  for (std::size_t j = 0; j < outputs_.size(); ++j) {
    tally_.buffer_cycles[output][j] += left_[j];
    if constexpr (Trace::active) trace.released(Operand::O, j, left_[j]);
    end = std::max(end, left_[j]);
  }
  for (const Operand operand : {Operand::I, Operand::W}) {
    const auto& chain = inputs_[index_of(operand)];
    for (std::size_t j = 0; j < chain.size(); ++j) {
      const Int released = j + 1 < chain.size() ? chain[j + 1].port : now_;
      tally_.buffer_cycles[index_of(operand)][j] += released;
      if constexpr (Trace::active) trace.released(operand, j, released);
    }
  }
  return end;
}

}  // namespace nestor::sim::cim
