// Splitting of operators that are larger than the chip, before any decision (docs/models/chip.md, section 3,
// "Larger than the chip"): into groups, then into columns, then into blocks of rows followed by an adding
// operator.
#pragma once

#include <optional>
#include <string>

#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::chip {

/// Reason why a network cannot be compiled for a machine: a message for the user.
struct ChipRefusal {
  std::string message;
  /// True if the chip lacks a function for an operator; the input is then invalid.
  bool lacks_function = false;
};

/// Splits every array operator of `network` that does not fit the chip into pieces. Returns a refusal if this
/// is impossible; the network is then unchanged.
std::optional<ChipRefusal> split(const ChipMachine& machine, ChipNetwork& network);

}  // namespace nestor::chip
