// Machine of the pim space (docs/models/pim.md, section 1): a memory hierarchy as in all loop-nest spaces,
// whose outermost memory may have DRAM rows, with further properties: the once-per-dimension rule, even
// blocks, and the model of row activations. It is plain data without names; memories and axes are identified
// by their positions.
#pragma once

#include "base/enum_words.h"
#include "model/loopnest/hierarchy.h"

namespace nestor::pim {

/// Placement of blocks: one level per loop for all operands, or a separate level for each operand.
enum class BlockRule : std::uint8_t { even, uneven };
inline constexpr auto block_rules =
    enum_words<BlockRule>({{BlockRule::even, "even"}, {BlockRule::uneven, "uneven"}});

/// Method of counting row activations: exactly, as the trace does, or by closed formulas (section 6).
enum class RowModel : std::uint8_t { exact, hybrid };
inline constexpr auto row_models =
    enum_words<RowModel>({{RowModel::exact, "exact"}, {RowModel::hybrid, "hybrid"}});

struct PimMachine : Hierarchy {
  Int mvm_cycles = 1;
  double mac_energy = 0;      ///< pJ per multiply-accumulate
  double leakage = 0;         ///< pJ per cycle
  double clock = 0;           ///< Hz; 0: unknown
  Int reduction_latency = 0;  ///< cycles, added once to the compute cycles
  BlockRule blocks = BlockRule::even;
  RowModel row_model = RowModel::exact;
  std::uint8_t dim_once = 0;  ///< axes as bits; a dimension may have a factor on at most one of them

  /// True if an operand's home is a DRAM with rows.
  constexpr bool has_rows(Operand operand) const { return memories[home(operand)].row > 0; }
  friend constexpr bool operator==(const PimMachine&, const PimMachine&) = default;
};

/// Largest number of banks of a DRAM.
inline constexpr Int max_banks = 64;

}  // namespace nestor::pim
