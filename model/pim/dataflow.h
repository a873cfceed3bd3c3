// The dataflow that a mapping follows, by the names that the field has for it (docs/models/pim.md, section
// 8).
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

/// Which operand stays in its innermost memory longest while others pass; of kernel rows against output
/// channels on two axes, row stationary; mixed if two operands stay equally long.
Dataflow dataflow_of(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping);

std::string_view to_string(Dataflow dataflow);

}  // namespace nestor::pim
