// Dataflow of a mapping, in the usual classification (docs/models/pim.md, section 8).
#pragma once

#include <string_view>

#include "model/loopnest/layer.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

enum class Dataflow : std::uint8_t {
  weight_stationary,
  output_stationary,
  input_stationary,
  row_stationary,
  mixed
};

/// Returns row_stationary if kernel taps (R, S) and output channels (K) are on different axes. Otherwise
/// returns the dataflow of the operand that stays longest in its innermost memory, or mixed if several
/// operands stay longest.
Dataflow dataflow_of(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping);

std::string_view to_string(Dataflow dataflow);

}  // namespace nestor::pim
