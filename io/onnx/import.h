// Import of ONNX models as networks of layers (docs/models/cim.md, section 1). Conv, Gemm, MatMul, Attention
// and the quantised forms become loop nests; every other operator is counted in Network::unmapped. Weights
// are never read: a model whose initializers have shapes but no data is imported in the same way.
//
// This module is optional: without libonnx and protobuf, import_onnx returns a usage error.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/error.h"
#include "model/workload/network.h"

namespace nestor::io {

/// The value of one symbolic dimension of the model's inputs. A dimension without a symbol is named after its
/// input and its index, as in "pixels[2]".
struct DimBinding {
  std::string name;
  Int value = 0;
};

struct OnnxOptions {
  std::optional<Int> batch = {};       ///< binds a symbolic leading dimension of the inputs; default 1
  std::vector<DimBinding> dims = {};   ///< binds the other symbolic dimensions
  std::optional<BitWidths> bits = {};  ///< replaces 8/8/8/32 and the widths of the tensor types
  std::optional<Int> unknown = {};     ///< for chips: operations per element of operators without a rule
};

/// True if this build can read ONNX.
bool onnx_available();

/// Reads a model. The network is named after the file (without .onnx); layers are in execution order.
///
/// A convolution with groups is one layer with the shape of one group and a repeat count. A matrix product is
/// N=1, P=m, K=n, C=k. Leading dimensions of the left operand alone (one weight matrix for a whole batch) are
/// folded into P. Leading dimensions of the right operand (products of attention) repeat the layer.
Result<Network> import_onnx(const std::filesystem::path& path, const OnnxOptions& options = {});

/// Reads a model from memory; `file` appears in messages and names the network.
Result<Network> import_onnx_bytes(std::string_view bytes, const std::string& file,
                                  const OnnxOptions& options = {});

}  // namespace nestor::io
