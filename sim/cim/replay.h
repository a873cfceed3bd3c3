// Event-driven replay of a mapping that counts cycles (docs/models/cim.md, section 10). Every MVM waits for
// its input and weight tiles and for space for its output tile. Every transfer waits for its port, its source
// and its buffer. The replay shares types with the cost model but no formula: this module does not link
// model/cim.
//
//     const ReplayResult result = replay(layer, machine, mapping, {});
//     result.cycles;    // exact
//
// The mapping must be legal. It should be normalised first; otherwise unchanged tiles are transferred again.
// By default, a sequence of steps that recurs from the same state is simulated once and its figures are
// multiplied (walker.h explains why this is exact). `plain` simulates every step.
#pragma once

#include <string_view>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::sim::cim {

/// Reason why an MVM starts later than the end of the previous MVM.
enum class StallCause : std::uint8_t {
  mode_switch,  ///< waits for weights, in an array that cannot compute while they are written
  weights,      ///< waits for weights, in an array with a spare buffer
  inputs,
  partial_sums,  ///< waits for partial sums of the output tile to be fetched
  write_back,    ///< waits for space for the output tile
};
inline constexpr std::size_t stall_cause_count = 5;
/// Returns the cause's name in JSON output: "mode_switch", "weights", ...
std::string_view name_of(StallCause cause);

enum class ReplayStatus : std::uint8_t {
  complete,
  step_limit,  ///< the number of simulated steps exceeds the limit; the figures are invalid
  too_long,    ///< the replay could exceed 2^62 cycles
  malformed,   ///< not a mapping for this machine
};

struct ReplayOptions {
  bool plain = false;              ///< true to simulate every step
  Int step_limit = 4'000'000'000;  ///< maximum number of individually simulated steps
};

/// A port between two memories. It performs one transfer at a time, in either direction.
struct PortUse {
  Operand operand = Operand::I;
  std::size_t outer = 0;
  std::size_t inner = 0;
  Int transfer_cycles = 0;  ///< duration of each transfer
  Int inward = 0;           ///< number of fetches, including those of partial sums
  Int outward = 0;          ///< number of write-backs
  Int busy_cycles() const { return transfer_cycles * (inward + outward); }
};

/// The one or two buffers of an operand in a memory. A tile occupies a buffer from the start of the transfer
/// that fills it until its release. A new output tile, which no transfer fills, occupies a buffer from its
/// first MVM on.
struct BufferUse {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  Int tile_bits = 0;
  Int peak_buffers = 1;   ///< maximum number of buffers occupied at the same time
  Int buffer_cycles = 0;  ///< total time for which tiles occupied a buffer
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
  Int steps_simulated = 0;  ///< number of simulated steps; all other steps repeat them
  std::array<Int, stall_cause_count> stalls{};
  Int tail_cycles = 0;  ///< cycles from the end of the last MVM to the last event
  FixedVector<PortUse, operand_count * max_memories> ports;
  FixedVector<BufferUse, operand_count * max_memories> buffers;

  bool skipped() const { return steps_simulated < steps; }
  Int stall(StallCause cause) const { return stalls[static_cast<std::size_t>(cause)]; }
};

ReplayResult replay(const LayerShape& layer, const Architecture& machine, const Mapping& mapping,
                    const ReplayOptions& options = {});

}  // namespace nestor::sim::cim
