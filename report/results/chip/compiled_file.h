// Inputs and decisions in a result of `nestor compile`: a machine, a network and its compilation.
#pragma once

#include "io/document.h"
#include "model/chip/decisions.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"

namespace nestor::io {

struct CompiledNetwork {
  chip::ChipMachine machine;
  chip::ChipNetwork network;  ///< after splitting
  chip::Decisions decisions;
};

/// The parts of a result, sizes such that one may compute with them. Whether the decisions are legal is for
/// the caller to find out.
Result<CompiledNetwork> read_compiled(const Document& document, const std::string& file);

}  // namespace nestor::io
