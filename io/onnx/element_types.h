// Element types of tensors as kernels near memory have them: as the file says, or as the user does.
#pragma once

#include <optional>

#include "io/onnx/tensor.h"
#include "model/cnm/system.h"

namespace nestor::io::onnx_import {

struct ElementChoice {
  std::optional<BitWidths> bits;      ///< of inputs, weights and sums, as integers
  std::optional<cnm::Type> elements;  ///< of everything
};

/// The narrowest integer type of so many bits.
std::optional<cnm::Type> integer_of(Int bits);

/// Nothing for a type that no element has.
std::optional<cnm::Type> element_of(const Tensor& tensor, bool weight, const ElementChoice& choice);

}  // namespace nestor::io::onnx_import
