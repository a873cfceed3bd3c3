// Values of small tensors as TensorProto stores them: in raw bytes, in typed fields, or not at all. Without
// values there is no constant, and shapes that depend on it remain unknown.
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

/// Returns the values of a tensor of at most largest_constant elements if the file has them and they are
/// numbers.
std::optional<Constant> read_constant(const ::onnx::TensorProto& tensor);

/// Returns all values of a tensor of any size as reals; empty if the file does not contain them. Returns a
/// message if the stored data do not form such a tensor.
std::variant<std::vector<double>, std::string> read_weights(const ::onnx::TensorProto& tensor);

}  // namespace nestor::io::onnx_import
