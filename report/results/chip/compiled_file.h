// Inputs and decisions in a result of `nestor compile`: a machine, a network and its compilation.
#pragma once

#include "io/document.h"
#include "model/chip/decisions.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::io {

struct CompiledNetwork {
  chip::ChipMachine machine;
  chip::ChipNetwork network;  ///< the network after splitting
  chip::Decisions decisions;
};

/// Reads the parts of a result. Refuses machines and networks whose sizes are too large to compute with. The
/// caller must check that the decisions are legal.
Result<CompiledNetwork> read_compiled(const Document& document, const std::string& file);

}  // namespace nestor::io
