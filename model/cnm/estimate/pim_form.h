// Forms in which HBM-PIM can compute a kernel without a stream of the vendor's library: point by point, or as
// a sum of products or of inputs (docs/models/cnm.md, "General streams").
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct PimForm {
  std::string refusal;  ///< why the kernel has neither form; empty if it has one
  bool contraction = false;
  std::size_t output = 0;         ///< index of the output operand; all before it are inputs
  std::vector<bool> output_uses;  ///< by dim

  // Pointwise kernels.
  std::vector<std::size_t> runs;  ///< inputs that a tile reads, in order; a trigger reads the first
  Int alive = 1;                  ///< maximum number of results that registers hold at once
  bool has_constants = false;     ///< excluding those that instructions imply

  // Contractions.
  bool product = false;             ///< sums a product of two inputs
  std::vector<std::size_t> inputs;  ///< factors or summands, in the order of operands
};

/// Treats all elements as f16, regardless of the kernel's types, and ignores conversions.
PimForm pim_form_of(const Kernel& kernel);

}  // namespace nestor::cnm
