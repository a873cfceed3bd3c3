// A program of several operations, read from a compiler's file or a JSON list. It consists of values and
// operations on them. An operation is a kernel, an action of the host (a pad), or only its run time on each
// system (docs/mlir.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct ProgramValue {
  std::string name;
  std::string type;  ///< such as 16x32xf32; empty if unknown
  Int bytes = 0;
};

/// Form in which a system stores a value that an operation reads or writes. If two operations on one system
/// use equal tokens for a value, it needs no transfer between them.
struct ValuePart {
  std::optional<std::string> token;
  std::optional<Int> bytes;
};

struct ProgramOperation {
  std::string name;
  std::vector<std::size_t> reads, writes;  ///< indices of values
  std::optional<Kernel> kernel;
  std::vector<std::size_t> operands;  ///< value of each operand of the kernel
  bool updates = false;               ///< true if the operation reads the previous content of its output
  std::vector<Int> pads;              ///< padding of a convolution: begins, then ends; empty if there is none
  std::string host;                   ///< action that only the host can perform: "pad"
  // By system name, sorted for output.
  std::map<std::string, double> time_ms;
  std::map<std::string, std::map<std::size_t, ValuePart>> parts;
};

struct KernelProgram {
  std::string name;
  std::vector<ProgramValue> values;  ///< inputs, constants and results
  std::vector<std::size_t> inputs, outputs, constants;
  std::vector<ProgramOperation> operations;  ///< in execution order
};

/// Joins programs into one program that runs them one after the other. The programs share no values. Values
/// with equal names get their program's name as a prefix.
KernelProgram joined(std::vector<KernelProgram> programs);

/// Enlarges an image by its pads, so that windows may extend into them. The last dims of `shape` are those of
/// the image itself; `pads` contains the pads at the beginning of each of these dims, then the pads at the
/// end.
void extend_by_pads(KernelOperand& image, const std::vector<Int>& shape, const std::vector<Int>& pads,
                    const std::vector<Int>& extents);

}  // namespace nestor::cnm
