// A program of several operations, as a compiler's file says it: values, and what each operation makes of
// them. An operation is a kernel, or something that only the host does (a pad). docs/mlir.md has the forms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ProgramValue {
  std::string name;
  std::string type;  ///< as 16x32xf32; empty if it is not known
  Int bytes = 0;
};

struct ProgramOperation {
  std::string name;
  std::vector<std::size_t> reads, writes;  ///< positions among the values
  std::optional<Kernel> kernel;
  std::vector<std::size_t> operands;  ///< the value of each operand of the kernel
  bool updates = false;               ///< reads what its output holds already
  std::string host;                   ///< what only the host does: "pad"
};

struct KernelProgram {
  std::string name;
  std::vector<ProgramValue> values;  ///< inputs, constants, results
  std::vector<std::size_t> inputs, outputs, constants;
  std::vector<ProgramOperation> operations;  ///< in the order in which they run
};

}  // namespace nestor::cnm
