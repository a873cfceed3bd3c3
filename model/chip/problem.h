// A network on a machine, with all values of its operators that do not depend on decisions, such as the
// layout of each matrix on crossbars. Evaluation and search use these values.
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
  /// True for an array or product operator that fits the chip. A product also requires that crossbars can be
  /// written at run time.
  bool may_use_array = false;
  /// True for an alu operator, or for a product on a chip whose digital unit multiplies and adds.
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
  /// Input of an operator that reads the tensor of another operator.
  struct Reader {
    std::size_t op;
    std::size_t input;
  };
  std::vector<std::vector<Reader>> readers;  ///< per operator: all inputs that read its tensor

  std::size_t size() const { return network.operators.size(); }
};

/// Returns the problem. `machine` and `network` must outlive it.
ChipProblem make_problem(const ChipMachine& machine, const ChipNetwork& network);

/// Returns a refusal if some decisions may lead to numbers beyond 64 bits. Code that runs after this check
/// therefore needs no overflow checks.
std::optional<ChipRefusal> admit(const ChipMachine& machine, const ChipNetwork& network);

}  // namespace nestor::chip
