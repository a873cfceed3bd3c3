// The networks of data/networks as ONNX models: the published architectures as operator graphs in the form of
// exporters (activations, poolings, normalisations, shape arithmetic), without weight data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/onnx/model_builder.h"

namespace nestor::bench {

struct ExampleModel {
  std::string_view name;  ///< as in data/networks
  void (*build)(ModelBuilder& model);
};

std::span<const ExampleModel> example_models();

/// Models that ship as networks of chip operators (data/networks/chip), with the opset of the ONNX model from
/// which they are generated.
struct ChipModel {
  ExampleModel model;
  Int opset = 17;
  bool chain = false;
};
std::span<const ChipModel> chip_models();
inline constexpr const char* chip_network_comment =
    "Written by nestor_make_chip_networks from the generated ONNX model.";

/// Returns the serialised model.
std::string make_model(const ExampleModel& example, const ModelOptions& options);

// Defined in convolutional.cpp.
void build_resnet18(ModelBuilder& model);
void build_resnet34(ModelBuilder& model);
void build_resnet50(ModelBuilder& model);
void build_resnet101(ModelBuilder& model);
void build_vgg7(ModelBuilder& model);
void build_vgg16(ModelBuilder& model);
void build_alexnet(ModelBuilder& model);
void build_mobilenetv2(ModelBuilder& model);

// Defined in tiny.cpp.
void build_tiny_resnet8(ModelBuilder& model);
void build_tiny_dscnn(ModelBuilder& model);
void build_tiny_mobilenetv1(ModelBuilder& model);
void build_tiny_autoencoder(ModelBuilder& model);

// Defined in transformers.cpp.
void build_vit_b16(ModelBuilder& model);
void build_bert_base_128(ModelBuilder& model);
void build_gpt2_medium_prefill(ModelBuilder& model);
void build_gpt2_medium_decode(ModelBuilder& model);

// Building blocks, defined in layers.cpp. Widths are parameters, because a Value has no shape.
struct ConvolutionOptions {
  Int kernel = 3;
  Int kernel_width = 0;  ///< 0 for a square kernel
  Int stride = 1;
  Int pad = 0;
  bool same = false;  ///< true for auto_pad SAME_UPPER instead of pads
  Int groups = 1;
  bool normalised = true;  ///< true for BatchNormalization instead of a bias
};
Value convolution(ModelBuilder& model, const std::string& name, const Value& x, Int channels, Int filters,
                  const ConvolutionOptions& options);
/// Adds Gemm with a transposed weight, as PyTorch exports a linear layer on a matrix.
Value gemm(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs);
/// Adds MatMul and Add, as exported for inputs with more dimensions.
Value linear(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs,
             bool bias = true);
/// Adds LayerNormalization, or its parts before opset 17.
Value layer_norm(ModelBuilder& model, const std::string& name, const Value& x, Int width);
/// Adds Gelu, or its parts before opset 20.
Value gelu(ModelBuilder& model, const Value& x);
Value global_pool_and_flatten(ModelBuilder& model, const Value& x);

}  // namespace nestor::bench
