// Helpers of the importer's tests. They import a model that a test has built, and return its layers, the
// error message, or a tensor after shape inference.
#pragma once

#include <gmock/gmock.h>
#include <onnx/onnx_pb.h>

#include <optional>
#include <string>

#include "bench/onnx/model_builder.h"
#include "io/onnx/graph.h"
#include "io/onnx/import.h"
#include "io/onnx/infer.h"
#include "io/onnx/wire.h"

namespace nestor::io {

using bench::Attributes;
using bench::ModelBuilder;
using bench::Shape;
using bench::Value;

inline Network import_built(const ModelBuilder& model, const OnnxOptions& options = {}) {
  auto network = import_onnx_bytes(model.bytes(), "built.onnx", options);
  EXPECT_TRUE(network.ok()) << network.error().to_string();
  return network.ok() ? *network : Network{};
}

/// Returns the only layer of a model.
inline Layer import_one(const ModelBuilder& model, const OnnxOptions& options = {}) {
  const Network network = import_built(model, options);
  EXPECT_EQ(network.layers.size(), 1U);
  return network.layers.size() == 1 ? network.layers.front() : Layer{};
}

inline std::string message_of(const ModelBuilder& model, const OnnxOptions& options = {}) {
  const auto network = import_onnx_bytes(model.bytes(), "built.onnx", options);
  return network.ok() ? "accepted" : network.error().to_string();
}

/// Returns a tensor after shape inference. Fails the test if the graph is refused.
inline onnx_import::Tensor tensor_of(const ModelBuilder& model, const Value& value) {
  auto parsed = onnx_import::parse_model(model.bytes(), "built.onnx");
  if (!parsed.ok()) return ADD_FAILURE() << parsed.error().to_string(), onnx_import::Tensor{};
  auto graph = onnx_import::build_graph(*parsed, "built.onnx", {});
  if (!graph.ok()) return ADD_FAILURE() << graph.error().to_string(), onnx_import::Tensor{};
  if (const auto failed = onnx_import::infer_shapes(*graph)) {
    return ADD_FAILURE() << failed->to_string(), onnx_import::Tensor{};
  }
  for (const auto& tensor : graph->tensors) {
    if (tensor.name == value) return tensor;
  }
  return ADD_FAILURE() << "no tensor " << value, onnx_import::Tensor{};
}

inline std::string shape_text(const ModelBuilder& model, const Value& value) {
  const auto tensor = tensor_of(model, value);
  return tensor.shape ? onnx_import::to_string(*tensor.shape) : "unknown";
}

}  // namespace nestor::io
