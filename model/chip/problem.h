// A network on a machine, with what follows from the two alone: how each operator's matrix lies on crossbars,
// the cycles that do not depend on decisions, the energy of a row. Everything that costs or searches starts
// here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/chip/crossbars.h"
#include "model/chip/decisions.h"
#include "model/chip/machine.h"
#include "model/chip/network.h"
#include "model/chip/split.h"

namespace nestor::chip {

/// Facts of one operator. Those about crossbars are meaningful only for arrays and products.
struct OperatorFacts {
  bool may_use_array = false;  ///< an array operator, or a product that fits and may be written at run time
  bool may_use_alu = false;    ///< an alu operator, or a product on a chip that multiplies and adds
  CrossbarLayout layout;
  Int usable = 1;        ///< X'
  Int slices = 1;        ///< passes of an input
  Int local_in = 0;      ///< in_l
  Int l0_cycles = 0;     ///< of a row, the longer direction; 0 if hidden
  Int l0_bits = 0;       ///< of a row, both directions
  Int local_bits = 0;    ///< of a row on crossbars, L1
  Int tensor_bytes = 0;  ///< of what it makes
};

struct ChipProblem {
  const ChipMachine& machine;
  const ChipNetwork& network;  ///< after splitting
  std::vector<OperatorFacts> facts;
  /// Operators that read an operator's tensor, one entry per input that does.
  struct Reader {
    std::size_t op;
    std::size_t input;
  };
  std::vector<std::vector<Reader>> readers;

  std::size_t size() const { return network.operators.size(); }
};

/// `machine` and `network` must outlive the problem.
ChipProblem make_problem(const ChipMachine& machine, const ChipNetwork& network);

/// Refuses what might not fit 64 bits whatever is decided, so that everything behind this door computes
/// plainly.
std::optional<ChipRefusal> admit(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip
