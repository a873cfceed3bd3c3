// A network on a machine, with everything that follows from the two alone: the layout of each operator's
// matrix on crossbars, the cycles that do not depend on decisions, and the energy of a row. Evaluation and
// search start from it.
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

/// Facts of one operator. Those about crossbars are meaningful only for array and product operators.
struct OperatorFacts {
  bool may_use_array = false;  ///< an array or product that fits; a product also needs run-time writes
  bool may_use_alu = false;    ///< an alu operator, or a product on a chip that multiplies and adds
  CrossbarLayout layout;
  Int usable = 1;        ///< X'
  Int slices = 1;        ///< passes of an input
  Int local_in = 0;      ///< in_l
  Int l0_cycles = 0;     ///< per row, in the slower direction; 0 if hidden
  Int l0_bits = 0;       ///< per row, in both directions
  Int local_bits = 0;    ///< L1 bits per row on crossbars
  Int tensor_bytes = 0;  ///< size of the output tensor
};

struct ChipProblem {
  const ChipMachine& machine;
  const ChipNetwork& network;  ///< after splitting
  std::vector<OperatorFacts> facts;
  /// Operators that read an operator's tensor, with one entry per reading input.
  struct Reader {
    std::size_t op;
    std::size_t input;
  };
  std::vector<std::vector<Reader>> readers;

  std::size_t size() const { return network.operators.size(); }
};

/// `machine` and `network` must outlive the problem.
ChipProblem make_problem(const ChipMachine& machine, const ChipNetwork& network);

/// Refuses a problem if some decision may lead to numbers beyond 64 bits. Other code therefore needs no
/// overflow checks.
std::optional<ChipRefusal> admit(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip
