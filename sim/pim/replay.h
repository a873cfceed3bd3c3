// The trace simulator of the pim space (docs/models/pim.md, section 9): walks all steps of a mapping one by
// one. Every time the loops outside a tile move on, the tile's box is worked out from the loops' indices, its
// bits are counted, and in DRAM each of its elements is accessed. It shares types with the model, and no
// formula.
#pragma once

#include <array>
#include <cstdint>

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"
#include "sim/pim/row_trace.h"

namespace nestor::sim::pim {

/// Of what is walked; where one is passed, the walk ends.
struct ReplayLimits {
  Int step_limit = Int{1} << 33;    ///< steps of all temporal loops
  Int access_limit = Int{1} << 35;  ///< accesses to DRAM
};

/// How the walk ended: before the end its figures are of no use.
enum class ReplayEnd : std::uint8_t { complete, step_limit, access_limit };

struct Replay {
  ReplayEnd status = ReplayEnd::complete;
  Int cycles = 0;
  Int steps = 0;
  Int accesses = 0;      ///< to DRAM, in elements
  double energy_pj = 0;  ///< the sum of its parts
  double compute_energy_pj = 0;
  double activation_energy_pj = 0;
  std::array<std::array<double, operand_count>, max_memories> memory_energy_pj{};
  std::array<Int, operand_count> activations{};
  std::array<std::array<Int, operand_count>, max_memories> bits{};  ///< over a memory's inner side
  std::array<Int, max_memories> memory_cycles{};
  std::array<double, max_memories>
      moving_cycles{};  ///< of all operands, at a port's full rate, fractions kept
};

/// The mapping is legal and canonical. `log`, if any, takes the accesses to DRAM in their order.
Replay replay(const LayerShape& layer, const nestor::pim::PimMachine& machine,
              const nestor::pim::PimMapping& mapping, const ReplayLimits& limits = {},
              AccessLog* log = nullptr);

}  // namespace nestor::sim::pim
