// The values of small tensors, as TensorProto stores them: in raw bytes, in typed fields, or nowhere (then
// there is no constant and shapes that depend on it stay unknown).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/onnx/tensor.h"

namespace onnx {
class TensorProto;
}

namespace nestor::io::onnx_import {

/// The values of a tensor of at most largest_constant elements, if they are in the file and numbers.
std::optional<Constant> read_constant(const ::onnx::TensorProto& tensor);

/// All values of a tensor, of any size, in reals; none if the file does not hold them. A message where what
/// it holds is no such tensor.
std::variant<std::vector<double>, std::string> read_weights(const ::onnx::TensorProto& tensor);

}  // namespace nestor::io::onnx_import
