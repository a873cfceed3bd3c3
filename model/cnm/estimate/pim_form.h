// The ways in which HBM-PIM may compute a kernel without a stream of the vendor's library: point by point, or
// as a sum of products or of inputs (docs/models/cnm.md, "General streams").
#pragma once

#include <string>
#include <vector>

#include "model/cnm/kernel.h"

namespace nestor::cnm {

struct PimForm {
  std::string refusal;  ///< why it is neither; empty if it is one
  bool contraction = false;
  std::size_t output = 0;  ///< its operand; all before it are inputs

  // Pointwise.
  std::vector<std::size_t> runs;  ///< inputs that a tile reads, in order; a trigger reads the first
  Int alive = 1;                  ///< results that registers hold at once, at most
  bool has_constants = false;     ///< but those that instructions imply

  // Contractions.
  bool product = false;             ///< of two inputs
  std::vector<std::size_t> inputs;  ///< that are multiplied or added, in the order of operands
};

/// Elements are f16, whatever the kernel says: conversions are left out.
PimForm pim_form_of(const Kernel& kernel);

}  // namespace nestor::cnm
