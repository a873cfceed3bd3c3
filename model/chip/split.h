// The parts of operators larger than the chip, made before anything is decided (docs/models/chip.md, section
// 3, "Larger than the chip"): groups, then columns, then blocks of rows with an adding operator behind them.
#pragma once

#include <optional>
#include <string>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

/// Reason why a network cannot be compiled to a machine; a sentence for the user that says what is missing.
struct ChipRefusal {
  std::string message;
  bool lacks_function = false;  ///< the chip has no function for an operator: the input is at fault
};

/// Replaces every array operator of `network` that does not fit the chip by its pieces.
std::optional<ChipRefusal> split(const ChipMachine& machine, ChipNetwork& network);

}  // namespace nestor::chip
