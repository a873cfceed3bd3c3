// A network on a machine, with all values that the two alone determine: the layout of each operator's matrix
// on crossbars, and the cycles and bits that do not depend on decisions. Evaluation and search are based on
// it.
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

/// Values of one operator. Values about crossbars are meaningful only for array and product operators.
struct OperatorFacts {
  /// True for an array or product that fits; a product also needs run-time writes.
  bool may_use_array = false;
  /// True for an alu operator, or for a product on a chip that multiplies and adds.
  bool may_use_alu = false;
  CrossbarLayout layout;
  Int usable = 1;        ///< X'
  Int slices = 1;        ///< number of passes of an input
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
  /// Operators that read an operator's tensor, with one entry per input that reads it.
  struct Reader {
    std::size_t op;
    std::size_t input;
  };
  std::vector<std::vector<Reader>> readers;

  std::size_t size() const { return network.operators.size(); }
};

/// Returns the problem. `machine` and `network` must outlive it.
ChipProblem make_problem(const ChipMachine& machine, const ChipNetwork& network);

/// Returns a refusal if some decision may lead to numbers beyond 64 bits. Other code therefore needs no
/// overflow checks.
std::optional<ChipRefusal> admit(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip
