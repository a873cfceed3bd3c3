// Form in which HBM-PIM can compute a kernel without a stream of the vendor's library: point by point, or as
// a sum of products or of inputs (docs/models/cnm.md, "General streams").
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct PimForm {
  std::string refusal;  ///< reason why the kernel has neither form; otherwise empty
  bool contraction = false;
  std::size_t output = 0;         ///< index of the output operand; all before it are inputs
  std::vector<bool> output_uses;  ///< by dim: true if the output uses the dim

  // Pointwise kernels.
  /// Inputs that a tile reads: those of each operation in order, or input 0 for an operation without inputs.
  std::vector<std::size_t> runs;
  Int alive = 1;               ///< maximum number of results in registers at the same time
  bool has_constants = false;  ///< true if there are constants other than those that instructions imply

  // Contractions.
  bool product = false;             ///< true if a product of two inputs is summed
  std::vector<std::size_t> inputs;  ///< factors or summands, in the order of operands
};

/// Returns the form of a kernel. Treats all elements as f16, regardless of the kernel's types, and ignores
/// conversions.
PimForm pim_form_of(const Kernel& kernel);

}  // namespace nestor::cnm
