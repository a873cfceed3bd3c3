// The networks of data/networks as ONNX models: the published architectures as the operator graphs that
// exporters write (activations, poolings, normalisations, shape arithmetic), without weight data.
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

/// Those that ship as networks of chip operators (data/networks/chip), with the opset they are read at.
struct ChipModel {
  ExampleModel model;
  Int opset = 17;
  bool chain = false;
};
std::span<const ChipModel> chip_models();
inline constexpr const char* chip_network_comment =
    "Written by nestor_make_chip_networks from the generated ONNX model.";

/// The serialised model.
std::string make_model(const ExampleModel& example, const ModelOptions& options);

// convolutional.cpp
void build_resnet18(ModelBuilder& model);
void build_resnet34(ModelBuilder& model);
void build_resnet50(ModelBuilder& model);
void build_resnet101(ModelBuilder& model);
void build_vgg7(ModelBuilder& model);
void build_vgg16(ModelBuilder& model);
void build_alexnet(ModelBuilder& model);
void build_mobilenetv2(ModelBuilder& model);

// tiny.cpp
void build_tiny_resnet8(ModelBuilder& model);
void build_tiny_dscnn(ModelBuilder& model);
void build_tiny_mobilenetv1(ModelBuilder& model);
void build_tiny_autoencoder(ModelBuilder& model);

// transformers.cpp
void build_vit_b16(ModelBuilder& model);
void build_bert_base_128(ModelBuilder& model);
void build_gpt2_medium_prefill(ModelBuilder& model);
void build_gpt2_medium_decode(ModelBuilder& model);

// layers.cpp: what several of them are made of. Widths are passed along, since values carry no shapes.
struct ConvolutionOptions {
  Int kernel = 3;
  Int kernel_width = 0;  ///< 0: square
  Int stride = 1;
  Int pad = 0;
  bool same = false;  ///< auto_pad SAME_UPPER instead of pads
  Int groups = 1;
  bool normalised = true;  ///< BatchNormalization behind it instead of a bias
};
Value convolution(ModelBuilder& model, const std::string& name, const Value& x, Int channels, Int filters,
                  const ConvolutionOptions& options);
/// Gemm with a transposed weight, as PyTorch exports a linear layer on a matrix.
Value gemm(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs);
/// MatMul and Add, as exported on anything with more dimensions.
Value linear(ModelBuilder& model, const std::string& name, const Value& x, Int inputs, Int outputs,
             bool bias = true);
/// LayerNormalization, or what it is made of before opset 17.
Value layer_norm(ModelBuilder& model, const std::string& name, const Value& x, Int width);
/// Gelu, or what it is made of before opset 20.
Value gelu(ModelBuilder& model, const Value& x);
Value global_pool_and_flatten(ModelBuilder& model, const Value& x);

}  // namespace nestor::bench
