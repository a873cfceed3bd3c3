// Reader of the values of tensors. A TensorProto stores them in raw bytes, in typed fields, or not at all. A
// tensor without values is not a constant, and shapes that depend on it remain unknown.
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

/// Returns the values of a tensor if the file contains them, their type is int64, int32, bool, float or
/// double, and there are at most largest_constant of them.
std::optional<Constant> read_constant(const ::onnx::TensorProto& tensor);

/// Returns all values of a tensor of at most 2^31 elements as reals; empty if the file does not contain them.
/// Returns a message if the values are in another file, are not finite, or do not form such a tensor.
std::variant<std::vector<double>, std::string> read_weights(const ::onnx::TensorProto& tensor);

}  // namespace nestor::io::onnx_import
