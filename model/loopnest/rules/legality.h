// Legality check of a mapping (docs/models/cim.md, sections 3 and 4). The result is the first violated rule
// with its numbers; report/results/violation_text.h turns it into a sentence.
#pragma once

#include <optional>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor {

enum class Rule : std::uint8_t {
  factor_below_one,           ///< `found` is a spatial factor below 1 or a temporal factor below 2
  axis_dim_not_allowed,       ///< `axis` does not accept `dim`
  axis_overflow,              ///< the product `found` of the factors on `axis` exceeds its size `limit`
  bound_mismatch,             ///< the product `found` of the factors of `dim` differs from its bound `limit`
  memory_without_operand,     ///< `loop` puts `operand` in `memory`, which does not store it
  block_moves_outward,        ///< at `loop`, `operand` moves from an inner memory back out to `memory`
  double_buffer_not_allowed,  ///< (`memory`, `operand`): the memory does not allow it
  double_buffer_home,         ///< (`memory`, `operand`): a home cannot be double-buffered
  double_buffer_unused,       ///< (`memory`, `operand`): the operand does not use the memory
  capacity,                   ///< the tiles in `memory` need `found` bits, but it has only `limit`
  not_canonical,              ///< `loop` is innermost in `operand`'s block at `memory`, but irrelevant to it
};

struct Violation {
  Rule rule = Rule::capacity;
  Dim dim = Dim::N;
  Operand operand = Operand::I;
  std::size_t axis = 0;
  std::size_t memory = 0;
  std::size_t loop = 0;  ///< index from the outside, starting at 0
  Int found = 0;
  Int limit = 0;
};

/// Returns the first violated rule, or nothing if the mapping is legal and canonical. Factors are checked
/// first, then axes, bounds, blocks, double buffers, capacities, and the canonical form.
std::optional<Violation> find_violation(const LayerShape& layer, const Hierarchy& machine,
                                        const Mapping& mapping);
/// True if a mapping violates no rule, except possibly capacities and the canonical form. For the embedded
/// core: it does not report the violated rule, has a third of the code size of find_violation(), and uses
/// little stack.
bool is_well_formed(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping);
/// Returns the first violation of a rule whose violation normalisation might hide: blocks in memories that do
/// not store the operand or that move outward, and double buffers where they are not allowed.
std::optional<Violation> find_misplacement(const Hierarchy& machine, const Mapping& mapping);

}  // namespace nestor
