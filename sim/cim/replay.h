// Replays a mapping event by event and counts cycles (docs/models/cim.md, section 10): every MVM waits for
// its input and weight tiles and for room in its output tile, every transfer for its port, its source and its
// buffer. Shares types with the cost model, no formula: this room does not link model/cim.
//
//     const ReplayResult result = replay(layer, machine, mapping, {});
//     result.cycles;    // exact
//
// The mapping must be legal; normalise it first, or tiles that do not change are moved again. By default
// stretches of the replay that start from the same state are simulated once and multiplied (how, and why that
// is exact: walker.h); `plain` walks every step.
#pragma once

#include <string_view>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::sim::cim {

/// What an MVM waited for, when it started later than the end of the one before.
enum class StallCause : std::uint8_t {
  mode_switch,  ///< weights, into an array that cannot compute meanwhile
  weights,      ///< weights, into a spare buffer
  inputs,
  partial_sums,  ///< earlier results of the output tile, on their way back
  write_back,    ///< room for the output tile
};
inline constexpr std::size_t stall_cause_count = 5;
/// As in JSON output: "mode_switch", "weights", ...
std::string_view name_of(StallCause cause);

enum class ReplayStatus : std::uint8_t {
  complete,
  step_limit,  ///< more steps than allowed had to be simulated; the figures are of no use
  too_long,    ///< the replay could pass 2^62 cycles
  malformed,   ///< not a mapping for this machine
};

struct ReplayOptions {
  bool plain = false;              ///< simulate every step
  Int step_limit = 4'000'000'000;  ///< of steps simulated one by one
};

/// A port between two memories: one transfer at a time, both directions.
struct PortUse {
  Operand operand = Operand::I;
  std::size_t outer = 0;
  std::size_t inner = 0;
  Int transfer_cycles = 0;  ///< of each transfer
  Int inward = 0;           ///< transfers: fetches, returning partial sums
  Int outward = 0;          ///< write-backs
  Int busy_cycles() const { return transfer_cycles * (inward + outward); }
};

/// An operand's one or two buffers in a memory. A buffer is occupied from the start of the transfer that
/// fills it (a new output tile: from its first MVM) until it is released.
struct BufferUse {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  Int tile_bits = 0;
  Int peak_buffers = 1;   ///< most occupied at one time
  Int buffer_cycles = 0;  ///< sum of the time that each tile occupied a buffer
  Int peak_bits() const { return peak_buffers * tile_bits; }
  double mean_bits(Int cycles) const {
    return cycles == 0 ? 0
                       : static_cast<double>(tile_bits) * static_cast<double>(buffer_cycles) /
                             static_cast<double>(cycles);
  }
};

struct ReplayResult {
  ReplayStatus status = ReplayStatus::complete;
  Int cycles = 0;
  Int steps = 0;
  Int steps_simulated = 0;  ///< the others were found equal to simulated ones and multiplied
  std::array<Int, stall_cause_count> stalls{};
  Int tail_cycles = 0;  ///< after the last MVM, until the last output is home
  FixedVector<PortUse, operand_count * max_memories> ports;
  FixedVector<BufferUse, operand_count * max_memories> buffers;

  bool skipped() const { return steps_simulated < steps; }
  Int stall(StallCause cause) const { return stalls[static_cast<std::size_t>(cause)]; }
};

ReplayResult replay(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                    const ReplayOptions& options = {});

}  // namespace nestor::sim::cim
