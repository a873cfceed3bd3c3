// Builders of ONNX models of image classifiers: ResNet (He 2015), VGG (Simonyan 2014), AlexNet (Krizhevsky
// 2012), MobileNetV2 (Sandler 2018).
#include <fmt/format.h>
#include <array>

#include "bench/onnx/example_models.h"

namespace nestor::bench {
namespace {

Int image_size(const ModelBuilder& model, Int published) {
  return model.options().image == 0 ? published : model.options().image;
}

Value relu(ModelBuilder& model, const Value& x) { return model.options().chain ? x : model.add("Relu", {x}); }

Value max_pool(ModelBuilder& model, const Value& x, Int kernel, Int stride, Int pad = 0) {
  return model.add("MaxPool", {x},
                   {{"kernel_shape", std::vector<Int>{kernel, kernel}},
                    {"strides", std::vector<Int>{stride, stride}},
                    {"pads", std::vector<Int>(4, pad)}});
}

Value stem(ModelBuilder& model) {
  const Int size = image_size(model, 224);
  const Value image = model.input("image", {1, 3, size, size});
  const Value x = convolution(model, "conv1", image, 3, 64, {.kernel = 7, .stride = 2, .pad = 3});
  return max_pool(model, relu(model, x), 3, 2, 1);
}

// Adds a residual block, whose last convolution has `filters` channels.
Value block(ModelBuilder& model, const std::string& name, const Value& x, Int channels, Int width,
            Int filters, Int stride) {
  Value y;
  if (filters == width) {
    y = relu(model, convolution(model, name + "_a", x, channels, width, {.stride = stride, .pad = 1}));
    y = convolution(model, name + "_b", y, width, width, {.pad = 1});
  } else {
    y = relu(model, convolution(model, name + "_a", x, channels, width, {.kernel = 1}));
    y = relu(model, convolution(model, name + "_b", y, width, width, {.stride = stride, .pad = 1}));
    y = convolution(model, name + "_c", y, width, filters, {.kernel = 1});
  }
  if (model.options().chain) return y;
  const bool same_shape = stride == 1 && channels == filters;
  const Value shortcut = same_shape ? x
                                    : convolution(model, name + "_shortcut", x, channels, filters,
                                                  {.kernel = 1, .stride = stride});
  return relu(model, model.add("Add", {y, shortcut}));
}

void resnet(ModelBuilder& model, const std::array<int, 4>& blocks, Int expansion) {
  Value x = stem(model);
  Int channels = 64;
  for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
    const Int width = Int{64} << stage;
    for (int i = 0; i < blocks[stage]; ++i) {
      x = block(model, fmt::format("conv{}_{}", stage + 2, i + 1), x, channels, width, width * expansion,
                i == 0 && stage > 0 ? 2 : 1);
      channels = width * expansion;
    }
  }
  if (model.options().chain) return model.output(x);
  model.output(gemm(model, "fc", global_pool_and_flatten(model, x), channels, 1000));
}

}  // namespace

void build_resnet18(ModelBuilder& model) { resnet(model, {2, 2, 2, 2}, 1); }
void build_resnet34(ModelBuilder& model) { resnet(model, {3, 4, 6, 3}, 1); }
void build_resnet50(ModelBuilder& model) { resnet(model, {3, 4, 6, 3}, 4); }
void build_resnet101(ModelBuilder& model) { resnet(model, {3, 4, 23, 3}, 4); }

void build_vgg16(ModelBuilder& model) {
  Value x = model.input("image", {1, 3, 224, 224});
  Int channels = 3;
  const std::array<int, 5> convolutions = {2, 2, 3, 3, 3};
  for (std::size_t stage = 0; stage < convolutions.size(); ++stage) {
    const Int width = std::min<Int>(Int{64} << stage, 512);
    for (int i = 0; i < convolutions[stage]; ++i) {
      x = relu(model, convolution(model, fmt::format("conv{}_{}", stage + 1, i + 1), x, channels, width,
                                  {.pad = 1, .normalised = false}));
      channels = width;
    }
    x = max_pool(model, x, 2, 2);
  }
  if (model.options().chain) return model.output(x);
  x = model.add("Flatten", {x}, {{"axis", Int{1}}});
  x = relu(model, gemm(model, "fc6", x, 512 * 7 * 7, 4096));
  x = relu(model, gemm(model, "fc7", x, 4096, 4096));
  model.output(model.add("Softmax", {gemm(model, "fc8", x, 4096, 1000)}));
}

// Builds the small VGG on which CIFAR-10 accelerators are evaluated: 2 x 128, 2 x 256 and 2 x 512 filters,
// and one hidden layer of 1024.
void build_vgg7(ModelBuilder& model) {
  const Int size = image_size(model, 32);
  Value x = model.input("image", {1, 3, size, size});
  Int channels = 3;
  for (const Int stage : {1, 2, 3}) {
    const Int width = Int{64} << stage;
    for (const Int i : {1, 2}) {
      x = relu(model, convolution(model, fmt::format("conv{}_{}", stage, i), x, channels, width,
                                  {.pad = 1, .normalised = false}));
      channels = width;
    }
    x = max_pool(model, x, 2, 2);
  }
  x = model.add("Flatten", {x}, {{"axis", Int{1}}});
  x = relu(model, gemm(model, "fc1", x, channels * (size / 8) * (size / 8), 1024));
  model.output(gemm(model, "fc2", x, 1024, 10));
}

void build_alexnet(ModelBuilder& model) {
  Value x = model.input("image", {1, 3, 227, 227});
  const auto layer = [&](const std::string& name, Int channels, Int filters,
                         const ConvolutionOptions& options) {
    x = relu(model, convolution(model, name, x, channels, filters, options));
  };
  const auto normalise_and_pool = [&] {
    x = max_pool(model, model.add("LRN", {x}, {{"size", Int{5}}}), 3, 2);
  };
  layer("conv1", 3, 96, {.kernel = 11, .stride = 4, .normalised = false});
  normalise_and_pool();
  layer("conv2", 96, 256, {.kernel = 5, .pad = 2, .groups = 2, .normalised = false});
  normalise_and_pool();
  layer("conv3", 256, 384, {.pad = 1, .normalised = false});
  layer("conv4", 384, 384, {.pad = 1, .groups = 2, .normalised = false});
  layer("conv5", 384, 256, {.pad = 1, .groups = 2, .normalised = false});
  x = model.add("Reshape", {max_pool(model, x, 3, 2), model.integers({0, -1})});
  x = relu(model, gemm(model, "fc6", x, 256 * 6 * 6, 4096));
  x = relu(model, gemm(model, "fc7", x, 4096, 4096));
  model.output(model.add("Softmax", {gemm(model, "fc8", x, 4096, 1000)}));
}

void build_mobilenetv2(ModelBuilder& model) {
  const auto relu6 = [&](const Value& x) { return model.add("Clip", {x, model.real(0), model.real(6)}); };
  struct Stage {
    Int expansion, width;
    int blocks;
    Int stride;
  };
  const Int size = image_size(model, 224);
  Value x = model.input("image", {1, 3, size, size});
  x = relu6(convolution(model, "conv1", x, 3, 32, {.stride = 2, .pad = 1}));
  Int channels = 32;
  int index = 0;
  for (const Stage& stage : {Stage{1, 16, 1, 1}, Stage{6, 24, 2, 2}, Stage{6, 32, 3, 2}, Stage{6, 64, 4, 2},
                             Stage{6, 96, 3, 1}, Stage{6, 160, 3, 2}, Stage{6, 320, 1, 1}}) {
    for (int i = 0; i < stage.blocks; ++i) {
      const std::string name = fmt::format("block{}", ++index);
      const Int stride = i == 0 ? stage.stride : 1;
      const Int inner = channels * stage.expansion;
      Value y = x;
      if (stage.expansion != 1)
        y = relu6(convolution(model, name + "_expand", y, channels, inner, {.kernel = 1}));
      y = relu6(convolution(model, name + "_depthwise", y, inner, inner,
                            {.stride = stride, .pad = 1, .groups = inner}));
      y = convolution(model, name + "_project", y, inner, stage.width, {.kernel = 1});
      x = stride == 1 && channels == stage.width ? model.add("Add", {x, y}) : y;
      channels = stage.width;
    }
  }
  x = relu6(convolution(model, "conv_last", x, channels, 1280, {.kernel = 1}));
  model.output(gemm(model, "fc", global_pool_and_flatten(model, x), 1280, 1000));
}

}  // namespace nestor::bench
