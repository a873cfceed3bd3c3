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

/// Returns the dataflow of the operand that stays longest in its innermost memory. It is row stationary if
/// kernel rows and output channels are on two axes, and mixed if two operands stay equally long.
Dataflow dataflow_of(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping);

std::string_view to_string(Dataflow dataflow);

}  // namespace nestor::pim
