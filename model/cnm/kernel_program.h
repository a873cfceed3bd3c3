// A program of several operations, as a compiler's file or a list in JSON says it: values, and what each
// operation makes of them. An operation is a kernel, something that only the host does (a pad), or just the
// times that it takes on each system (docs/mlir.md).
#pragma once

#include <map>
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

/// How a system holds a value that an operation reads or writes; equal tokens fit without a transfer.
struct ValuePart {
  std::optional<std::string> token;
  std::optional<Int> bytes;
};

struct ProgramOperation {
  std::string name;
  std::vector<std::size_t> reads, writes;  ///< positions among the values
  std::optional<Kernel> kernel;
  std::vector<std::size_t> operands;  ///< the value of each operand of the kernel
  bool updates = false;               ///< reads what its output holds already
  std::vector<Int> pads;              ///< of a convolution: begins, then ends; empty: none
  std::string host;                   ///< what only the host does: "pad"
  // By system, in order, as they are written.
  std::map<std::string, double> time_ms;
  std::map<std::string, std::map<std::size_t, ValuePart>> parts;
};

struct KernelProgram {
  std::string name;
  std::vector<ProgramValue> values;  ///< inputs, constants, results
  std::vector<std::size_t> inputs, outputs, constants;
  std::vector<ProgramOperation> operations;  ///< in the order in which they run
};

/// One program of several, which run one after another and share nothing. Values that are named alike bear
/// their program's name in front.
KernelProgram joined(std::vector<KernelProgram> programs);

}  // namespace nestor::cnm
