// Weights for the ONNX models of tests. The model builder only describes weights; these functions fill them.
#pragma once

#include <onnx/onnx_pb.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "bench/onnx/example_models.h"

namespace nestor::tests {

/// Fills matrices and kernels uniformly in the range that preserves variances, vectors in [0.5, 1.5), and
/// integers of 8 bits in their range. Scales are 0.0005, zero points 0.
inline void fill(::onnx::ModelProto& model, std::uint64_t seed) {
  Random random(seed);
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.has_raw_data() || tensor.int64_data_size() > 0 || tensor.float_data_size() > 0 ||
        tensor.int32_data_size() > 0)
      continue;
    std::int64_t count = 1;
    for (const auto extent : tensor.dims()) count *= extent;
    double fan = 1;
    for (int d = 1; d < tensor.dims_size(); ++d) fan *= static_cast<double>(tensor.dims(d));
    if (tensor.dims_size() == 2) fan = std::min(fan, static_cast<double>(tensor.dims(0)));
    std::string raw;
    for (std::int64_t i = 0; i < count; ++i) {
      if (tensor.data_type() == ::onnx::TensorProto::FLOAT) {
        const double x = tensor.dims_size() == 0   ? 0.0005
                         : tensor.dims_size() == 1 ? 0.5 + random.unit()
                                                   : std::sqrt(3 / fan) * (2 * random.unit() - 1);
        const auto stored = static_cast<float>(x);
        raw.append(reinterpret_cast<const char*>(&stored), sizeof stored);
      } else if (tensor.dims_size() == 0) {
        raw += '\0';
      } else {
        raw += static_cast<char>(random.below(256));
      }
    }
    tensor.set_raw_data(raw);
  }
}

/// Sets the elements of the initializer with this name.
template <typename T>
void set_data(::onnx::ModelProto& proto, const std::string& name, const std::vector<T>& values) {
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer())
    if (tensor.name() == name)
      tensor.set_raw_data(
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
}

inline ::onnx::ModelProto example_model(std::string_view name, const bench::ModelOptions& options) {
  ::onnx::ModelProto proto;
  for (const auto& each : bench::chip_models())
    if (each.model.name == name && !each.chain) proto.ParseFromString(bench::make_model(each.model, options));
  return proto;
}

}  // namespace nestor::tests
