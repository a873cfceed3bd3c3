// Element types of tensors in compute-near-memory kernels, as specified by the file or the user.
#pragma once

#include <optional>

#include "io/onnx/tensor.h"
#include "model/cnm/system.h"

namespace nestor::io::onnx_import {

struct ElementChoice {
  std::optional<BitWidths> bits;      ///< integer widths of inputs, weights and sums
  std::optional<cnm::Type> elements;  ///< one type for all tensors
};

/// Returns the narrowest integer type with at least this many bits.
std::optional<cnm::Type> integer_of(Int bits);

/// Returns the element type of a tensor, or nothing if no kernel supports it.
std::optional<cnm::Type> element_of(const Tensor& tensor, bool weight, const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
