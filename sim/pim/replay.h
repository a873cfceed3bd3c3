// Trace simulator of the pim space (docs/models/pim.md, section 9). It executes all steps of a mapping one by
// one. Whenever a loop outside a tile advances, it computes the tile's box from the loop indices, counts the
// box's bits, and accesses each element that is in DRAM. It shares types with the model, but no formulas.
#pragma once

#include <array>
#include <cstdint>

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"
#include "sim/pim/row_trace.h"

namespace nestor::sim::pim {

/// Limits of the replay, which stops when it exceeds one of them.
struct ReplayLimits {
  Int step_limit = Int{1} << 33;    ///< maximum number of steps of all temporal loops
  Int access_limit = Int{1} << 35;  ///< maximum number of elements accessed in DRAM
};

/// Outcome of the replay. The figures are valid only if it is complete.
enum class ReplayEnd : std::uint8_t { complete, step_limit, access_limit };

struct Replay {
  ReplayEnd status = ReplayEnd::complete;
  Int cycles = 0;
  Int steps = 0;
  Int accesses = 0;      ///< number of elements accessed in DRAM
  double energy_pj = 0;  ///< sum of the energies below
  double compute_energy_pj = 0;
  double activation_energy_pj = 0;
  std::array<std::array<double, operand_count>, max_memories> memory_energy_pj{};
  std::array<Int, operand_count> activations{};
  /// Bits transferred on a memory's inner side.
  std::array<std::array<Int, operand_count>, max_memories> bits{};
  std::array<Int, max_memories> memory_cycles{};
  /// Transfer cycles of all operands at full rate, not rounded up.
  std::array<double, max_memories> moving_cycles{};
};

/// Replays a legal and canonical mapping. `log`, if not null, receives the accesses to DRAM in order.
Replay replay(const LayerShape& layer, const nestor::pim::PimMachine& machine,
              const nestor::pim::PimMapping& mapping, const ReplayLimits& limits = {},
              AccessLog* log = nullptr);

}  // namespace nestor::sim::pim
