// Builders of ONNX models of the four networks of MLPerf Tiny (Banbury 2021 and its reference models). The
// networks come from TensorFlow, so their convolutions pad with auto_pad.
#include <fmt/format.h>

#include "bench/onnx/example_models.h"

namespace nestor::bench {
namespace {

Value plain_relu(ModelBuilder& model, const Value& x) { return model.add("Relu", {x}); }

Value separable(ModelBuilder& model, const std::string& name, const Value& x, Int channels, Int filters,
                Int stride) {
  const Value y = plain_relu(model, convolution(model, name + "_depthwise", x, channels, channels,
                                                {.stride = stride, .same = true, .groups = channels}));
  return plain_relu(
      model, convolution(model, name + "_pointwise", y, channels, filters, {.kernel = 1, .same = true}));
}

}  // namespace

void build_tiny_resnet8(ModelBuilder& model) {
  Value x = model.input("image", {1, 3, 32, 32});
  x = plain_relu(model, convolution(model, "conv1", x, 3, 16, {.same = true}));
  Int channels = 16;
  for (const Int width : {16, 32, 64}) {
    const std::string name = fmt::format("stack{}", width / 16 - width / 64);
    const Int stride = width == 16 ? 1 : 2;
    Value y = plain_relu(
        model, convolution(model, name + "_a", x, channels, width, {.stride = stride, .same = true}));
    y = convolution(model, name + "_b", y, width, width, {.same = true});
    if (stride == 2) {
      x = convolution(model, name + "_shortcut", x, channels, width,
                      {.kernel = 1, .stride = 2, .same = true, .normalised = false});
    }
    x = plain_relu(model, model.add("Add", {x, y}));
    channels = width;
  }
  x = model.add("AveragePool", {x}, {{"kernel_shape", std::vector<Int>{8, 8}}});
  x = model.add("Flatten", {x}, {{"axis", Int{1}}});
  model.output(model.add("Softmax", {gemm(model, "fc", x, 64, 10)}));
}

void build_tiny_dscnn(ModelBuilder& model) {
  Value x = model.input("features", {1, 1, 49, 10});
  x = plain_relu(model, convolution(model, "conv1", x, 1, 64,
                                    {.kernel = 10, .kernel_width = 4, .stride = 2, .same = true}));
  for (int i = 1; i <= 4; ++i) x = separable(model, fmt::format("block{}", i), x, 64, 64, 1);
  x = model.add("AveragePool", {x}, {{"kernel_shape", std::vector<Int>{25, 5}}});
  x = model.add("Flatten", {x}, {{"axis", Int{1}}});
  model.output(model.add("Softmax", {gemm(model, "fc", x, 64, 12)}));
}

void build_tiny_mobilenetv1(ModelBuilder& model) {
  Value x = model.input("image", {1, 3, 96, 96});
  x = plain_relu(model, convolution(model, "conv1", x, 3, 8, {.stride = 2, .same = true}));
  struct Block {
    Int filters, stride;
  };
  Int channels = 8;
  int index = 0;
  for (const Block& block :
       {Block{16, 1}, Block{32, 2}, Block{32, 1}, Block{64, 2}, Block{64, 1}, Block{128, 2}, Block{128, 1},
        Block{128, 1}, Block{128, 1}, Block{128, 1}, Block{128, 1}, Block{256, 2}, Block{256, 1}}) {
    x = separable(model, fmt::format("block{}", ++index), x, channels, block.filters, block.stride);
    channels = block.filters;
  }
  model.output(model.add("Softmax", {gemm(model, "fc", global_pool_and_flatten(model, x), 256, 2)}));
}

void build_tiny_autoencoder(ModelBuilder& model) {
  Value x = model.input("frames", {1, 640});
  Int width = 640;
  int index = 0;
  for (const Int next : {128, 128, 128, 128, 8, 128, 128, 128, 128, 640}) {
    x = linear(model, fmt::format("fc{}", ++index), x, width, next);
    if (index < 10) x = plain_relu(model, x);
    width = next;
  }
  model.output(x);
}

}  // namespace nestor::bench
