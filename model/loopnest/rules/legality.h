// Is a mapping legal (docs/models/cim.md, sections 3 and 4)? The answer names the first violated rule and its
// numbers; report/results/violation_text.h turns it into a sentence.
#pragma once

#include <optional>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor {

enum class Rule : std::uint8_t {
  factor_below_one,           ///< a spatial factor < 1 or a temporal factor < 2: `found`
  axis_dim_not_allowed,       ///< `axis` does not allow `dim`
  axis_overflow,              ///< factors of `axis` multiply to `found`, size is `limit`
  bound_mismatch,             ///< factors of `dim` multiply to `found`, bound is `limit`
  memory_without_operand,     ///< `loop` puts `operand` at `memory`, which does not hold it
  block_moves_outward,        ///< at `loop`, `operand` goes from an inner memory back out to `memory`
  double_buffer_not_allowed,  ///< (`memory`, `operand`): the memory does not allow it
  double_buffer_home,         ///< (`memory`, `operand`): a home cannot be double-buffered
  double_buffer_unused,       ///< (`memory`, `operand`): the operand does not use the memory
  capacity,                   ///< `memory` needs `found` bits, holds `limit`
  not_canonical,              ///< innermost loop of `operand`'s block at `memory` is irrelevant to it: `loop`
};

struct Violation {
  Rule rule = Rule::capacity;
  Dim dim = Dim::N;
  Operand operand = Operand::I;
  std::size_t axis = 0;
  std::size_t memory = 0;
  std::size_t loop = 0;  ///< counted from the outside, from 0
  Int found = 0;
  Int limit = 0;
};

/// The first violated rule, in the order of Rule; nothing if the mapping is legal and canonical.
std::optional<Violation> find_violation(const LayerShape& layer, const Hierarchy& machine,
                                        const Mapping& mapping);
/// Whether nothing is violated but, perhaps, capacities and the canonical form. For the embedded core: names
/// no rule, and takes a third of the code and little stack.
bool is_well_formed(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping);
/// Of these only what normalisation might hide: blocks in memories that do not hold the operand or that move
/// outward, and double buffers where there may be none.
std::optional<Violation> find_misplacement(const Hierarchy& machine, const Mapping& mapping);

}  // namespace nestor
