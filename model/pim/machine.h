// A machine of the pim space (docs/models/pim.md, section 1): the hierarchy that loop-nest spaces share,
// whose outermost memory may have DRAM rows, and beside it what only this space knows: the once-per-dimension
// rule, even blocks, how activations are counted. Plain data without names; memories and axes are positions.
#pragma once

#include "base/enum_words.h"
#include "model/loopnest/hierarchy.h"

namespace nestor::pim {

/// Who places blocks: one level per loop for all operands, or each operand on its own.
enum class BlockRule : std::uint8_t { even, uneven };
inline constexpr auto block_rules =
    enum_words<BlockRule>({{BlockRule::even, "even"}, {BlockRule::uneven, "uneven"}});

/// Which row activations count: those of the trace, or those of closed formulas (section 6).
enum class RowModel : std::uint8_t { exact, hybrid };
inline constexpr auto row_models =
    enum_words<RowModel>({{RowModel::exact, "exact"}, {RowModel::hybrid, "hybrid"}});

struct PimMachine : Hierarchy {
  Int mvm_cycles = 1;
  double mac_energy = 0;      ///< pJ per multiply-accumulate
  double leakage = 0;         ///< pJ per cycle
  double clock = 0;           ///< Hz; 0 when not given
  Int reduction_latency = 0;  ///< cycles, added once to compute
  BlockRule blocks = BlockRule::even;
  RowModel row_model = RowModel::exact;
  std::uint8_t dim_once = 0;  ///< axes, as bits; a dimension may have a factor on one of them at most

  /// Whether an operand's home is a DRAM with rows.
  constexpr bool has_rows(Operand operand) const { return memories[home(operand)].row > 0; }
  friend constexpr bool operator==(const PimMachine&, const PimMachine&) = default;
};

/// Most banks that a DRAM may have.
inline constexpr Int max_banks = 64;

}  // namespace nestor::pim
