// A slow, literal implementation of section 10 of docs/models/cim.md, with which the fast replay is compared.
// It stores every tile and follows the section rule by rule. It computes tile numbers and visits by division
// from the step number. Transfer lengths come from the tiles of the model, so it shares no code with sim.
#pragma once

#include <vector>

#include "model/loopnest/architecture.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::tests {

struct LiteralLevel {
  Operand operand = Operand::I;
  std::size_t memory = 0;
  Int fetches = 0;
  Int write_backs = 0;
  Int buffer_cycles = 0;
  Int peak_buffers = 0;
};

struct LiteralReplay {
  Int cycles = 0;
  std::array<Int, 5> stalls{};  ///< mode switch, weights, inputs, partial sums, write-back
  std::vector<LiteralLevel> levels;
};

LiteralReplay literal_replay(const LayerShape& layer, const Architecture& machine, const Mapping& mapping);

}  // namespace nestor::tests
