// ONNX models as networks of layers (docs/models/cim.md, section 1). Conv, Gemm, MatMul, Attention and the
// quantised forms become loop nests; every other operator is listed with its count in Network::unmapped.
// Weights are never read: a model whose initializers have shapes but no data imports like any other.
//
// An optional room: built without libonnx and protobuf, import_onnx answers with a usage error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/workload/network.h"

namespace nestor::io {

/// The value of one symbolic dimension of the model's inputs. A dimension without a symbol goes by the name
/// of its input and its index, as in "pixels[2]".
struct DimBinding {
  std::string name;
  Int value = 0;
};

struct OnnxOptions {
  std::optional<Int> batch = {};       ///< binds a symbolic leading dimension of the inputs; 1 when absent
  std::vector<DimBinding> dims = {};   ///< binds the other symbolic dimensions
  std::optional<BitWidths> bits = {};  ///< instead of 8/8/8/32 and of what the tensor types say
  std::optional<Int> unknown = {};     ///< chips: operations an element of operators without a rule
};

/// Whether this build can read ONNX at all.
bool onnx_available();

/// Reads a model. The network takes the file's name (without .onnx); layers stand in execution order.
///
/// A convolution with groups is one layer with the shape of one group and a repeat count. A matrix product
/// is N=1, P=m, K=n, C=k: leading dimensions that only the left operand has (one weight matrix for a whole
/// batch) are folded into P, those that the right operand has (attention's products) repeat the layer.
Result<Network> import_onnx(const std::filesystem::path& path, const OnnxOptions& options = {});

/// The same from memory; `file` stands in messages and names the network.
Result<Network> import_onnx_bytes(std::string_view bytes, const std::string& file,
                                  const OnnxOptions& options = {});

}  // namespace nestor::io
