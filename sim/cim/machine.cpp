#include "sim/cim/machine.h"

namespace nestor::sim::cim {

Machine::Machine(const Plan& plan)
    : mvm_cycles_(plan.mvm_cycles),
      weight_stall_(plan.chain(Operand::W).back().doubled ? StallCause::weights : StallCause::mode_switch) {
  for (const Operand operand : {Operand::I, Operand::W})
    for (const Level& level : plan.chain(operand))
      inputs_[index_of(operand)].push_back({.transfer = level.transfer, .doubled = level.doubled});
  for (const Level& level : plan.chain(Operand::O))
    outputs_.push_back({.transfer = level.transfer,
                        .doubled = level.doubled,
                        .next_returns = level.first > 0 && plan.loops[level.first - 1].revisits});
}

std::size_t Machine::capture(const std::array<std::uint8_t, operand_count>& from, Int* state) const {
  Int* next = state;
  for (std::size_t x = 0; x < inputs_.size(); ++x)
    for (std::size_t j = from[x]; j < inputs_[x].size(); ++j) {
      const InputBuffer& buffer = inputs_[x][j];
      *next++ = buffer.port - now_;
      // A fetch always waits for the port, so an earlier release has no effect.
      if (buffer.doubled) *next++ = std::max(buffer.freed, buffer.port) - now_;
    }
  for (std::size_t j = from[output]; j < outputs_.size(); ++j) {
    const OutputBuffer& buffer = outputs_[j];
    // Write-backs and new tiles always wait for the array, so earlier times have no effect. The end of a
    // fetch ahead is stored exactly, because it determines the time from which the next tile occupies its
    // buffer.
    *next++ = buffer.ahead ? buffer.port - now_ : std::max(buffer.port - now_, Int{0});
    if (buffer.doubled) {
      *next++ = std::max(buffer.written - now_, Int{0});
      *next++ = buffer.ahead ? 1 : 0;
    }
  }
  return static_cast<std::size_t>(next - state);
}

void Machine::restore(const std::array<std::uint8_t, operand_count>& from, const Int* state) {
  for (std::size_t x = 0; x < inputs_.size(); ++x)
    for (std::size_t j = from[x]; j < inputs_[x].size(); ++j) {
      InputBuffer& buffer = inputs_[x][j];
      buffer.port = now_ + *state++;
      if (buffer.doubled) buffer.freed = now_ + *state++;
    }
  for (std::size_t j = from[output]; j < outputs_.size(); ++j) {
    OutputBuffer& buffer = outputs_[j];
    buffer.port = now_ + *state++;
    if (buffer.doubled) {
      buffer.written = now_ + *state++;
      buffer.ahead = *state++ != 0;
    }
  }
}

void SinkTrace::transfer(Operand operand, std::size_t level, TransferKind kind, Int end) {
  const Level& of = plan_.chain(operand)[level];
  Int& done = tiles_done_[index_of(operand)][level];
  TransferEvent event{.operand = operand, .outer = of.source, .inner = of.memory, .kind = kind};
  event.tile = kind == TransferKind::fetch_ahead ? done + 1 : done;
  event.start = end - of.transfer;
  event.end = end;
  // A fetch completes a tile of I or W; a write-back completes a tile of O.
  if ((operand == Operand::O) == (kind == TransferKind::write_back)) ++done;
  takes_more_ &= sink_.on_transfer(event);
}

void SinkTrace::occupied(Operand operand, std::size_t level, Int begin) {
  occupied_since_[index_of(operand)][level] = begin;
}

void SinkTrace::released(Operand operand, std::size_t level, Int end) {
  const Level& of = plan_.chain(operand)[level];
  const Int begin = occupied_since_[index_of(operand)][level];
  takes_more_ &= sink_.on_buffer({operand, of.memory, of.tile_bits, begin, end});
}

void SinkTrace::mvm(Int start, Int end, Int waited, StallCause cause) {
  takes_more_ &= sink_.on_mvm({steps_done_++, start, end, waited, cause});
}

}  // namespace nestor::sim::cim
